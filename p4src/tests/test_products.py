"""The digest check finds whatever does not belong together."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

SOURCES_DIR = Path(__file__).resolve().parents[1]


@pytest.fixture
def products(tmp_path: Path) -> ModuleType:
    """The product tool, at work on a copy of p4src."""
    copy = tmp_path / "p4src"
    shutil.copytree(SOURCES_DIR, copy)
    spec = importlib.util.spec_from_file_location("products", copy / "products.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_checked_in_products_match_their_sources(products: ModuleType) -> None:
    products.check_digest()


def test_a_changed_source_is_found(products: ModuleType) -> None:
    with (products.SOURCES_DIR / "mailbox.p4").open("a") as source:
        source.write("// changed\n")
    with pytest.raises(products.ProductError, match=r"mailbox\.p4"):
        products.check_digest()


def test_a_new_source_is_found(products: ModuleType) -> None:
    (products.SOURCES_DIR / "extra.p4").write_text("")
    with pytest.raises(products.ProductError, match=r"extra\.p4"):
        products.check_digest()


def test_an_edited_product_is_found(products: ModuleType) -> None:
    with (products.PRODUCTS_DIR / "queue.json").open("a") as product:
        product.write(" ")
    with pytest.raises(products.ProductError, match=r"build/queue\.json"):
        products.check_digest()


def test_a_missing_product_is_named(products: ModuleType) -> None:
    (products.PRODUCTS_DIR / "virtual_queue.p4info.txtpb").unlink()
    with pytest.raises(products.ProductError, match=r"virtual_queue\.p4info\.txtpb"):
        products.check_digest()


def test_an_unknown_command_gets_usage_and_status_2(
    products: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert products.main(["polish"]) == 2
    assert capsys.readouterr().err == "usage: products.py compile|check\n"
