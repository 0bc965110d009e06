"""The command `cribboard`, also as `python -m cribboard`: Ctrl-C ends it in one way, also while it is being loaded."""

import sys

CTRL_C = 130


def main() -> None:
    """Load and run the command."""
    try:
        from cribboard.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(CTRL_C)


if __name__ == "__main__":
    main()
