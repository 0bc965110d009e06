"""The steps from each schema of the history to the next."""
