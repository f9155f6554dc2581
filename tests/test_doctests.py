"""The examples in the docstrings do what they show."""

import doctest
import importlib
import pkgutil

import pytest

import lagbfs


def modules(package):
    """Yield the names of all modules of a package."""
    yield package.__name__
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if info.name == "lagbfs.lagbfs":
            continue  # an editable install has the checkout on the package's path
        if info.ispkg:
            yield from modules(importlib.import_module(info.name))
        else:
            yield info.name


MODULES = sorted(modules(lagbfs))


def load(name):
    """Return a module; one whose library or extension is missing skips, saying which."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name.startswith("lagbfs.") and not error.name.split(".")[-1].startswith("_"):
            raise
        pytest.skip(f"{name} needs {error.name}, which is not installed")


def examples(module):
    finder = doctest.DocTestFinder(exclude_empty=True)
    return [test for test in finder.find(module, module.__name__) if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = load(name)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    report = []
    for test in examples(module):
        runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize(
    "name",
    [
        "algebra.matrix",
        "algebra.vector",
        "search.bfs",
        "search.verify",
        "selector.context",
        "operators.semiring",
        "search.traversal",
        "backends.registry",
    ],
)
def test_there_are_examples(name):
    assert f"lagbfs.{name}" in MODULES
    assert examples(importlib.import_module(f"lagbfs.{name}"))


@pytest.mark.parametrize("name", sorted(set(lagbfs.__all__) - {"replace"}))
def test_public_names_are_documented(name):
    thing = getattr(lagbfs, name)
    assert thing.__doc__
    assert isinstance(thing, type(lagbfs)) or is_exception(thing) or ">>>" in thing.__doc__


def is_exception(thing):
    return isinstance(thing, type) and issubclass(thing, Exception)
