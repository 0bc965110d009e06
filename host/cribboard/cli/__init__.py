"""The command `cribboard`: what is typed becomes commands to the board, and its answers plain sentences or JSON."""
