"""The command line."""


def main() -> int:
    """Run the command."""
    return 0
