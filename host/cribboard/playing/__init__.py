"""A refereed game on a board: logged act by act, pegged once, and resumed after any interruption."""
