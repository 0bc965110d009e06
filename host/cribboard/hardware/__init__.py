"""Everything between a description of a board and its parts: drawings, wiring, parts, power, settings."""
