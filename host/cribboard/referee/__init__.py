"""The referee: all rules of a game at a table as one machine of acts, without any terminal, board or clock."""
