"""Stored results come back whole or not at all."""

from pathlib import Path

import numpy as np
import pytest
from p4abs_experiments.run.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cells")


def only_file(tmp_path: Path) -> Path:
    (path,) = (tmp_path / "cells").iterdir()
    return path


def test_a_result_comes_back_as_it_was(store, result):
    saved = result()
    store.save("key", saved)
    loaded = store.load("key")
    np.testing.assert_equal(
        [loaded.link().series.gains["loss"], loaded.link().series.limit_bytes],
        [saved.link().series.gains["loss"], saved.link().series.limit_bytes],
    )
    np.testing.assert_equal(
        loaded.of("tcp").flows[0].window_bytes, saved.of("tcp").flows[0].window_bytes
    )
    # The arrays' repr is the same too, and nan equals itself there.
    assert repr(loaded) == repr(saved)


def test_an_unknown_key_has_no_result(store):
    assert store.load("key") is None


@pytest.mark.parametrize("length", [0, 1, 64, 65, 200, -1])
def test_a_truncated_file_is_not_used(store, result, tmp_path, length):
    store.save("key", result())
    path = only_file(tmp_path)
    path.write_bytes(path.read_bytes()[:length])
    assert store.load("key") is None


@pytest.mark.parametrize("position", [0, 65, 400, -1])
def test_an_altered_file_is_not_used(store, result, tmp_path, position):
    store.save("key", result())
    path = only_file(tmp_path)
    content = bytearray(path.read_bytes())
    content[position] ^= 1
    path.write_bytes(content)
    assert store.load("key") is None


def test_a_file_of_another_format_is_not_used(store, result, tmp_path):
    store.save("key", result())
    # The checksum of the content "x", and that content.
    checksum = b"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    only_file(tmp_path).write_bytes(checksum + b"\nx")
    assert store.load("key") is None


def test_saving_leaves_nothing_but_the_file(store, result, tmp_path):
    store.save("key", result())
    store.save("key", result())
    assert only_file(tmp_path).name == "key.cell"


def test_a_fresh_store_finds_only_its_own_results(store, result, tmp_path):
    store.save("old", result())
    fresh = Store(tmp_path / "cells", fresh=True)
    fresh.save("new", result())
    assert fresh.load("old") is None
    assert fresh.load("new") is not None
