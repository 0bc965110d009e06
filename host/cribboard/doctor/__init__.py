"""The doctor: says in plain words what keeps a board from playing, and what to do."""
