"""A file of your own: read, search, keep what was found. The edge list here stands for yours."""

from pathlib import Path

import lagbfs

Path("friends.txt").write_text("# who follows whom\nann bob\nbob cid\ncid dora\neve ann\n")

A = lagbfs.read("friends.txt")  # the name and the content tell the format; ids that are no numbers stay as labels
t = lagbfs.bfs(A, "ann")
print(A)
print("from ann to dora:", " → ".join(t.path_to("dora")))
print("layer by layer:", t.layers())

lagbfs.write("friends.mtx.gz", A)  # another format, compressed
print(Path("friends.mtx.gz").stat().st_size, "bytes of Matrix Market")
