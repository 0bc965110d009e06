"""The trainer: lessons in counting a hand, drills for the rest, and what is to be repeated when."""
