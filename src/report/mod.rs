//! Output formats: one file each over one value.
