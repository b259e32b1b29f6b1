"""The page in Debian's Chromium; left out where it is not installed."""

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest
from p4abs.session import Message, SwitchState
from p4abs.telemetry.web.application import serve_web

from controller.tests.web.browser import CHROMIUM, Browser
from controller.tests.web.conftest import TOKEN
from controller.tests.web.invented import InventedFleet

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium: apt-get install chromium")
SHOWN = "performance.getEntriesByName('ports-shown').length > 0"


@pytest.fixture(scope="module")
def live():
    """Four switches of 250 ports, one of them lost, that go on while the tests look."""
    fleet = InventedFleet(4, 250)
    fleet.run(time.time() - 20, 20)
    fleet.board.announce(Message("<b>in control</b>", "10.0.0.1:9559"))
    fleet.controllers[2].state = SwitchState.LOST
    end = Event()

    def go_on() -> None:
        while not end.wait(0.5):
            fleet.tick(time.time(), 0.5)

    thread = Thread(target=go_on)
    thread.start()
    yield fleet
    end.set()
    thread.join()


@pytest.fixture(scope="module")
def started():
    with Browser() as browser:
        yield browser


@pytest.fixture
def page(started):
    """Of a browser; it shares nothing with those of other tests."""
    started.renew()
    return started


@pytest.fixture
def browser(live, anywhere, page):
    """At the page; it may ask for nothing from elsewhere and have no errors."""
    with serve_web(anywhere, live.board, pytest.fail) as url:
        page.open(url)
        yield page
        assert page.errors == []
        assert [asked for asked in page.requested if not asked.startswith((url, "data:"))] == []


def texts(browser: Browser, selector: str) -> list[str]:
    return browser.evaluate(
        f"[...document.querySelectorAll({selector!r})].map((node) => node.textContent)"
    )


def test_the_browser_leaves_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    # Not pytest's folder: the path of a socket has to be short.
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", folder)
        with Browser():
            pass
        assert list(Path(folder).iterdir()) == []


def test_a_thousand_ports_are_seen_at_a_glance(browser, tmp_path: Path) -> None:
    browser.wait_for(SHOWN)
    assert len(texts(browser, ".tile")) == 1000
    assert browser.evaluate("document.querySelectorAll('.switch.lost').length") == 1
    counts = [int(text.split()[0]) for text in texts(browser, ".legend button")]
    assert sum(counts) == 1000
    colours = browser.evaluate(
        "new Set([...document.querySelectorAll('.tile')]"
        ".map((node) => getComputedStyle(node).backgroundColor)).size"
    )
    assert colours == sum(count > 0 for count in counts)
    browser.screenshot(tmp_path / "fleet.png")
    assert (tmp_path / "fleet.png").stat().st_size > 20_000


def test_one_kind_of_ports_can_be_shown_alone(browser) -> None:
    browser.wait_for(SHOWN)
    browser.evaluate("document.querySelectorAll('.legend button')[1].click()")
    shown = browser.evaluate("document.querySelectorAll('.tile:not(.dimmed)').length")
    assert shown == browser.evaluate("document.querySelectorAll('.tile.state-1').length") > 0


def test_a_switch_shows_the_worst_ports_first_and_those_that_are_asked_for(browser) -> None:
    browser.wait_for(SHOWN)
    browser.evaluate("document.querySelector('.switch h1 a').click()")
    browser.wait_for("document.querySelectorAll('tbody tr').length === 250")
    states = browser.evaluate(
        "[...document.querySelectorAll('tbody .mark')]"
        ".map((node) => Number(node.className.split('-')[1]))"
    )
    assert states == sorted(states)
    assert len(set(states)) > 2
    browser.evaluate(
        "(() => { const field = document.querySelector('input');"
        " field.value = 'held max-delay'; field.dispatchEvent(new Event('input')); })()"
    )
    assert set(texts(browser, "tbody td:nth-child(2)")) == {"held by max-delay"}
    for _ in range(2):
        browser.evaluate("document.querySelectorAll('th button')[0].click()")
    numbers = [int(text) for text in texts(browser, "tbody td:first-child")]
    assert numbers == sorted(numbers, reverse=True)


def test_a_port_shows_live_curves_its_agreements_and_what_binds(browser, live) -> None:
    port = next(port for port in live.ports[0] if port.temper == "lossy")
    browser.evaluate(f"location.hash = '#/switch/10.0.0.1%3A9559/{port.number}'")
    browser.wait_for("document.querySelectorAll('.uplot canvas').length === 9")
    titles = [
        "Offered traffic",
        "Utilization",
        "Loss",
        "Limit and backlog",
        "Queue delay",
        "What sets the limit",
        "State",
    ]
    assert texts(browser, ".chart:not([hidden]) h2") == titles
    notice = "document.querySelector('.notice').textContent"
    browser.wait_for(f"{notice}.startsWith('loss above target: loss')")
    picture = "document.querySelectorAll('.chart:not([hidden]) canvas')[3].toDataURL()"
    first = browser.evaluate(picture)
    browser.wait_for(f"{picture} !== {first!r}")
    promised = next(port for port in live.ports[0] if port.number % 4 == 0)
    browser.evaluate(f"location.hash = '#/switch/10.0.0.1%3A9559/{promised.number}'")
    browser.wait_for("document.querySelectorAll('.agreements tbody tr').length === 1")
    assert texts(browser, ".agreements td")[0] == "gold"


def test_charts_that_have_no_value_are_hidden_until_they_have_one(browser) -> None:
    shown = browser.evaluate(
        "import('./charts.js').then(({ Chart }) => {"
        " const options = { text: String, range: () => [0, 1] };"
        " const curve = { label: 'flows', colour: '--ink' };"
        " const chart = new Chart(document.querySelector('main'), 'Flows', [curve], options);"
        " const seen = [[null, undefined], [null, 1]].map((values) => {"
        "  chart.show([[1, 2], values]); return !chart.box.hidden; });"
        " chart.close(); return seen; })"
    )
    assert shown == [False, True]


@pytest.mark.parametrize(
    ("line", "is_marked"),
    [
        ("leaf: port 7: on target", True),
        ("leaf: port 7 (Ethernet7): on target", True),
        ("leaf: port 7 queue 3: on target", False),
        ("leaf: port 77: on target", False),
        ("leaf: ports 1-4, 6-8: no traffic", True),
        ("leaf: ports 1-4, 8: no traffic", False),
        ("leaf: in control, register path mailbox", True),
        ("leaf-2: in control, register path mailbox", False),
    ],
)
def test_events_of_a_port_and_of_its_switch_are_marked(browser, line: str, is_marked: bool) -> None:
    asked = f"import('./port.js').then(({{ concerns }}) => concerns({line!r}, 'leaf', 7))"
    assert browser.evaluate(asked) == is_marked


def test_a_spike_scales_a_chart_for_a_minute_only(browser) -> None:
    """Its least top is 1."""
    for place, top in ((0, 2), (139, 2), (140, 100), (199, 100)):
        curve = [100 if at == place else 1 for at in range(200)]
        asked = f"upwards(1)({{ data: [[], {curve}] }}, 0, 100)[1] / 1.08"
        assert browser.evaluate(f"import('./port.js').then(({{ upwards }}) => {asked})") == top


@pytest.mark.parametrize("place", ["", "#/switch/10.0.0.1%3A9559", "#/switch/10.0.0.1%3A9559/4"])
def test_a_page_500_pixels_wide_is_not_cut(live, anywhere, page, place) -> None:
    """What is wider scrolls within its own frame."""
    page.renew(width=500)
    with serve_web(anywhere, live.board, pytest.fail) as url:
        page.open(url + place)
        page.wait_for("document.querySelector('main').textContent.length > 100")
        assert page.evaluate("document.documentElement.scrollWidth") <= 500


def test_ports_that_were_left_leave_no_curves_behind(browser) -> None:
    for number in (1, 2, 3):
        browser.evaluate(f"location.hash = '#/switch/10.0.0.1%3A9559/{number}'")
        browser.wait_for(f"document.querySelector('h1').textContent === 'port {number}'")
        browser.wait_for("document.querySelectorAll('.uplot canvas').length === 9")
    assert browser.evaluate("uPlot.sync('port').plots.length") == 9


def test_a_filter_before_the_first_answer_waits_for_it(browser) -> None:
    filtered = browser.evaluate(
        "import('./switch.js').then(({ SwitchView }) => {"
        " const view = new SwitchView(document.createElement('main'), 'leaf');"
        " view.filter.dispatchEvent(new Event('input'));"
        " return true; })"
    )
    assert filtered


def test_an_address_that_no_page_has_shows_all_ports(live, anywhere, page) -> None:
    with serve_web(anywhere, live.board, pytest.fail) as url:
        page.open(f"{url}#/switch/%zz")
        page.wait_for("document.querySelectorAll('.tile').length === 1000")
        assert page.errors == []


def test_the_token_may_stand_in_the_address(live, anywhere, page) -> None:
    access = replace(anywhere, token=TOKEN)
    with serve_web(access, live.board, pytest.fail) as url:
        page.open(url.replace("//", f"//me:{TOKEN}@"))
        page.wait_for(SHOWN)
        page.evaluate("location.hash = '#/switch/10.0.0.1%3A9559/4'")
        page.wait_for("document.querySelectorAll('.uplot canvas').length === 9")
        assert page.errors == []


def test_a_page_that_outlives_its_controller_shows_what_the_next_one_has(anywhere, page) -> None:
    fleet = InventedFleet(2, 10)
    with serve_web(anywhere, fleet.board, pytest.fail) as url:
        page.open(url)
        page.wait_for("document.querySelectorAll('.tile').length === 20")
        _, second = fleet.board.switches.items()
        fleet.board.switches = dict([second])
        page.wait_for("document.querySelectorAll('.tile').length === 10")
        assert page.errors == []


def test_events_are_shown_as_text(browser) -> None:
    browser.wait_for(SHOWN)
    assert any("<b>in control</b>" in text for text in texts(browser, "#event-list li"))
    assert browser.evaluate("document.querySelectorAll('#event-list b').length") == 0


def test_a_controller_that_ends_is_said(live, anywhere, page) -> None:
    with serve_web(anywhere, live.board, pytest.fail) as url:
        page.open(url)
        page.wait_for(SHOWN)
    pulse = "document.getElementById('pulse').textContent"
    page.wait_for(f"{pulse}.startsWith('no answer from the controller')")


def test_switches_and_ports_that_come_and_go_do_so_on_the_page(anywhere, page) -> None:
    invented = InventedFleet(2, 3)
    first, second = invented.fleet.switches.values()
    with serve_web(anywhere, invented.board, pytest.fail) as url:
        page.open(url)
        page.wait_for(SHOWN)
        assert texts(page, ".tile") == ["1", "2", "3"] * 2
        fewer = second.settings.model_copy(update={"port": second.settings.port[1:]})
        controller = replace(invented.controllers[1], settings=fewer)
        invented.fleet.show([invented.fleet.make(fewer, lambda _events: controller), first])
        page.wait_for("document.querySelectorAll('.tile').length === 5")
        assert texts(page, ".tile") == ["2", "3", "1", "2", "3"]
        assert texts(page, "h1 a") == [second.name, first.name]
        assert page.errors == []
