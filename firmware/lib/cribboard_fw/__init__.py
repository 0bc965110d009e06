"""The board's firmware application; its hardware and its clock are handed in."""
