"""A selector of your own, beside those that come with lagbfs."""

import lagbfs


class PullInTheMiddle:
    """Pull while the frontier holds a tenth of the vertices or more."""

    def choose(self, features, arms):
        """Return one of the arms."""
        wanted = "pull" if features.frontier_size >= features.n / 10 else "push"
        return next(arm for arm in arms if arm.direction == wanted)


A = lagbfs.graphs.kronecker(12)
source = int(A.degrees.argmax())

for selector in (PullInTheMiddle(), "beamer", "learned"):
    t = lagbfs.bfs(A, source, selector=selector)
    print(selector if isinstance(selector, str) else type(selector).__name__, t.outcome)

print(t.explain())
