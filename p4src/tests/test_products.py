"""The digest check finds whatever does not belong together."""

import dataclasses
import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

SOURCES_DIR = Path(__file__).resolve().parents[1]


@pytest.fixture
def products(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The product tool, at work on a copy of p4src and of the constants made of it."""
    copy = tmp_path / "p4src"
    shutil.copytree(SOURCES_DIR, copy)
    constants = Path("controller", "p4abs", "p4_constants.py")
    (tmp_path / constants).parent.mkdir(parents=True)
    shutil.copy(SOURCES_DIR.parent / constants, tmp_path / constants)
    monkeypatch.syspath_prepend(str(copy))
    spec = importlib.util.spec_from_file_location("products", copy / "products.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_checked_in_products_match_their_sources(products: ModuleType) -> None:
    for family in products.FAMILIES:
        products.check_digest(family)


def test_a_changed_source_is_found(products: ModuleType) -> None:
    with (products.SOURCES_DIR / "adaptive" / "mailbox.p4").open("a") as source:
        source.write("// changed\n")
    with pytest.raises(products.ProductError, match=r"mailbox\.p4"):
        products.check_digest(products.FAMILIES[0])


def test_another_translation_is_found(products: ModuleType) -> None:
    with (products.SOURCES_DIR / "tna" / "on_v1model.py").open("a") as translation:
        translation.write("# changed\n")
    with pytest.raises(products.ProductError, match=r"tna/on_v1model\.py"):
        products.check_digest(products.FAMILIES[2])


def test_a_new_source_is_found(products: ModuleType) -> None:
    (products.SOURCES_DIR / "adaptive" / "extra.p4").write_text("")
    with (products.SOURCES_DIR / "adaptive" / "mailbox.p4").open("a") as source:
        source.write('#include "extra.p4"\n')
    with pytest.raises(products.ProductError, match=r"extra\.p4"):
        products.check_digest(products.FAMILIES[0])


def test_an_edited_product_is_found(products: ModuleType) -> None:
    with (products.PRODUCTS_DIR / "queue.json").open("a") as product:
        product.write(" ")
    with pytest.raises(products.ProductError, match=r"build/queue\.json"):
        products.check_digest(products.FAMILIES[0])


def test_a_missing_product_is_named(products: ModuleType) -> None:
    (products.PRODUCTS_DIR / "virtual_queue.p4info.txtpb").unlink()
    with pytest.raises(products.ProductError, match=r"virtual_queue\.p4info\.txtpb"):
        products.check_digest(products.FAMILIES[0])


def test_an_unknown_command_gets_usage_and_status_2(
    products: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert products.main(["polish"]) == 2
    assert capsys.readouterr().err == "usage: products.py compile|constants|check\n"


def test_constants_are_those_of_the_source(products: ModuleType) -> None:
    products.check_constants()


def test_a_changed_constant_is_found(products: ModuleType) -> None:
    source = products.CONSTANTS_SOURCES[0]
    source.write_text(source.read_text().replace("CPU_PORT = 510", "CPU_PORT = 64"))
    with pytest.raises(products.ProductError, match=r"p4_constants\.py"):
        products.check_constants()


def test_a_constant_that_is_no_number_is_named(products: ModuleType) -> None:
    with products.CONSTANTS_SOURCES[0].open("a") as source:
        source.write("const port_t OTHER_PORT = CPU_PORT;\n")
    with pytest.raises(products.ConstantError, match="OTHER_PORT: CPU_PORT"):
        products.write_constants()


def compiler(folder: Path, script: str) -> Path:
    """A stand-in for p4c."""
    path = folder / "p4c-bm2-ss"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_the_compilers_version_is_recorded_without_its_path(
    products: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler(tmp_path, "echo /some/where/p4c-bm2-ss >&2; echo 'Version 1.2.5 (SHA: ab)' >&2")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert products.FAMILIES[0].compiler_version() == "p4c-bm2-ss 1.2.5 (SHA: ab)"


def test_a_compiler_that_tells_no_version_is_an_error(
    products: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler(tmp_path, "echo nothing of use")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(products.ProductError, match="nothing of use"):
        products.FAMILIES[0].compiler_version()


def test_products_record_the_compiler_that_made_them(products: ModuleType) -> None:
    assert products.check_digest(products.FAMILIES[0]).startswith("p4c-bm2-ss ")


def test_an_order_that_the_compiler_does_not_keep_is_no_difference(products: ModuleType) -> None:
    def reverse(sources: Path, fresh: Path) -> None:
        for name in family.products:
            lines = (products.PRODUCTS_DIR / name).read_text().splitlines()
            (fresh / name).parent.mkdir(exist_ok=True)
            (fresh / name).write_text("\n".join(reversed(lines)))

    family = dataclasses.replace(products.FAMILIES[1], compile_into=reverse)
    products.check_by_recompiling(family)
    with pytest.raises(products.ProductError, match=r"tofino/tna"):
        products.check_by_recompiling(dataclasses.replace(family, varying=None))
