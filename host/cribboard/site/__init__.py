"""The pages that need no server: the virtual board, the scorer, the documentation."""
