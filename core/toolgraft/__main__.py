"""`python -m toolgraft`: the same as the command `toolgraft`."""

from toolgraft.cli import main

if __name__ == "__main__":
    main()
