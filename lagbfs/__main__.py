"""``python -m lagbfs`` is the command ``lagbfs``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
