//! What a stage trace says of a chunk on its way to the list.
