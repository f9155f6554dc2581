"""The import graph of the installed package, in figures: modules, imports, cycles, packages that import each other.

    python tests/import_graph.py [FOLDER]

looks at the package that this Python would import or, given the folder that holds one, at that. Imports for the sake
of annotations alone, under ``if TYPE_CHECKING``, do not count; those inside of functions do.
"""

import ast
import sys
from collections import defaultdict
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

import grimp


def strong_components(edges):
    """Return the sets of nodes that lie on a common cycle: for each node those it reaches that reach it."""
    reached = {node: _reached(edges, node) for node in edges}
    on_cycle = {node: frozenset(other for other in reached[node] if node in reached[other]) for node in reached}
    return {nodes for nodes in on_cycle.values() if nodes}


def _reached(edges, start):
    seen, todo = set(), [start]
    while todo:
        for following in edges[todo.pop()] - seen:
            seen.add(following)
            todo.append(following)
    return seen


def room(module):
    """Return the room of a module: the package below lagbfs it is in, or for flat modules "(flat)"."""
    if module == "lagbfs.__main__":
        return "cli"  # whose door it is
    parts = module.split(".")
    package = (find_spec("lagbfs").submodule_search_locations or [""])[0]
    return parts[1] if len(parts) > 2 or (Path(package) / parts[1]).is_dir() else "(flat)"


def inside_functions(package):
    """Return the modules of lagbfs, relative, that are imported inside of functions, with where."""
    places = []
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                places += [
                    f"{path.relative_to(package)}:{inner.lineno}"
                    for inner in ast.walk(node)
                    if isinstance(inner, ast.ImportFrom) and inner.level
                ]
    return sorted(set(places))


def main():
    if sys.argv[1:]:
        sys.path.insert(0, sys.argv[1])
    package = Path(find_spec("lagbfs").submodule_search_locations[0])
    graph = grimp.build_graph("lagbfs", exclude_type_checking_imports=True, cache_dir=None)
    modules = sorted(graph.modules - {"lagbfs"})
    edges = {module: graph.find_modules_directly_imported_by(module) - {"lagbfs"} for module in modules}
    rooms = defaultdict(set)
    for module in modules:
        rooms[room(module)] |= {room(other) for other in edges[module]} - {room(module)}
    mutual = [(one, two) for one, two in combinations(sorted(rooms), 2) if two in rooms[one] and one in rooms[two]]
    cycles = strong_components(edges)
    flat = [module for module in modules if room(module) == "(flat)"]
    print(f"{package}")
    print(f"modules             {len(modules)}, of them flat in lagbfs/: {len(flat)}")
    print(f"imports             {sum(map(len, edges.values()))}")
    print(f"cycles of modules   {len(cycles)}, of {sum(map(len, cycles))} modules")
    for cycle in sorted(cycles, key=len, reverse=True):
        print(f"    {', '.join(sorted(module.removeprefix('lagbfs.') for module in cycle))}")
    print(f"mutual packages     {len(mutual)}")
    for pair in mutual:
        print(f"    {' and '.join(pair)}")
    inside = inside_functions(package)
    print(f"own imports inside of functions  {len(inside)}")
    for place in inside:
        print(f"    {place}")


if __name__ == "__main__":
    main()
