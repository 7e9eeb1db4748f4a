// In place of a library that the bundle never uses.
