//! What is wrong with a mesh, a skeleton or weights, counted.
