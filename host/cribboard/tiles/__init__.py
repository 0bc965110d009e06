"""The tile game: crib hands of tiles in rows and columns on a square board."""
