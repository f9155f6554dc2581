"""The part of `cupyx.scipy` that lagbfs uses."""
