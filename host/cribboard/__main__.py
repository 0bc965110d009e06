"""`python -m cribboard` is the command `cribboard`."""

from cribboard.cli.main import main

if __name__ == "__main__":
    main()
