"""The part of `cupyx` that lagbfs uses."""
