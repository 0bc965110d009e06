"""What the strips of a board show, rendered only while a page watches it."""
