"""A refereed game on a board: it is logged act by act, pegged once, and goes on after anything."""
