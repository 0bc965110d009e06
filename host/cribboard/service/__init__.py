"""The one writer of a board: it holds the port, does what many hands order, keeps the history, and tells the news."""
