"""What installs what is missing is told so that it works, however lagbfs was installed."""

import json
import sys
from importlib import metadata

import pytest

from lagbfs.backends import native
from lagbfs.base import optional
from lagbfs.errors import MissingPackageError


class Installed:
    """What is known of an installed package: where from."""

    def __init__(self, **record):
        self.record = record

    def read_text(self, name):
        assert name == "direct_url.json"
        return json.dumps(self.record) if self.record else None


@pytest.mark.parametrize(
    ("record", "origin"),
    [
        ({}, "lagbfs"),
        ({"url": "file:///home/ann/my%20lagbfs", "dir_info": {"editable": True}}, "/home/ann/my lagbfs"),
        ({"url": "file:///tmp/lagbfs-0.1.0.whl", "archive_info": {}}, "/tmp/lagbfs-0.1.0.whl"),
        ({"url": "https://example.org/lagbfs", "vcs_info": {"vcs": "git"}}, "git+https://example.org/lagbfs"),
        ({"url": "https://example.org/lagbfs.tar.gz"}, "https://example.org/lagbfs.tar.gz"),
    ],
)
def test_where_lagbfs_came_from(monkeypatch, record, origin):
    monkeypatch.setattr(metadata, "distribution", lambda name: Installed(**record))
    assert optional.origin() == origin


def test_an_extra_is_installed_by_what_it_brings():
    assert optional.installing("learn") == "pip install 'scikit-learn>=1.5'"
    assert optional.installing("bench") == "pip install 'igraph>=0.11' 'networkit>=11'"
    assert optional.installing("bench", "networkit") == "pip install 'networkit>=11'"
    assert optional.installing("cuda13") == "pip install 'cupy-cuda13x[ctk]>=14'"


def test_without_metadata_the_extra_is_named(monkeypatch):
    def nowhere(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", nowhere)
    monkeypatch.setattr(metadata, "distribution", nowhere)
    assert optional.installing("learn") == "pip install 'lagbfs[learn]'"
    assert optional.origin() == "lagbfs"


def test_what_is_missing_is_told_with_command_and_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'matplotlib>=3\.9' \(lagbfs\[plot\]\)"):
        optional.require("matplotlib", "plot")


def test_the_doctor_knows_what_works(run, monkeypatch):
    monkeypatch.setattr("lagbfs.cli.doctor._version", lambda package: None)
    _, out, _ = run("doctor")
    assert "pip install 'scikit-learn>=1.5'" in out
    assert "pip install 'lagbfs" not in out


def test_kernels_are_built_from_where_lagbfs_came_from(monkeypatch):
    def missing():
        raise ImportError("made up")

    monkeypatch.setattr(native, "kernels", missing)
    monkeypatch.setattr(native, "origin", lambda: "/home/ann/lagbfs")
    assert native.Native.info().install.endswith("pip install --force-reinstall --no-deps '/home/ann/lagbfs'")
