"""``python -m sixmax``: the command line, where its script is not in the path."""

from sixmax.cli import main

if __name__ == "__main__":
    main()
