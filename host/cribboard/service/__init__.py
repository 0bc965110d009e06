"""The only writer to a board: it holds the port, carries out everybody's orders, keeps the history and reports news."""
