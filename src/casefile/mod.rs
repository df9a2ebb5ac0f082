//! Case files: read with file, line and column in every error, edited byte for byte, saved atomically.
