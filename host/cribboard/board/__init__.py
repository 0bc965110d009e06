"""The host's end of the wire: the port, finding boards, and commands that count once."""
