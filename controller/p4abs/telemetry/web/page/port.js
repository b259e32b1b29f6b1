// One port: its figures, its curves, what binds, its agreements.

import { Chart } from "./charts.js";
import { element, setText } from "./elements.js";
import { ask, send } from "./questions.js";
import { UNKNOWN, duration, limit, number, rate, share, size, spelt } from "./texts.js";

const SHOWN_S = 600;
const POWERS = Array.from({ length: 41 }, (_, power) => 2 ** power);
const RECENT_POINTS = 60;
// What is older than a minute leaves the chart where it is twice what nine of ten points are.
export const upwards = (least) => (plot, low, high) => {
  const curves = plot.data.slice(1).map((curve) => curve.filter((value) => value !== null && value !== undefined));
  const recent = curves.flatMap((curve) => curve.slice(-RECENT_POINTS));
  const usual = curves.map((curve) => curve.toSorted((a, b) => a - b)[Math.floor(0.9 * curve.length)] ?? 0);
  const robust = Math.max(2 * Math.max(0, ...usual), ...recent, least);
  return [0, Math.min(robust, Math.max(least, high ?? 0)) * 1.08];
};

// Whether an event is about the port, such as "2" or, one of several queues, "2.7", or about its whole switch.
export function concerns(line, name, port) {
  if (!line.startsWith(`${name}: `)) return false;
  const named = line.slice(name.length + 2).match(/^ports? (\d+(?:-\d+)?(?: \([^)]*\))?(?: queue \d)?(?:, \d+(?:-\d+)?(?: queue \d)?)*)/);
  if (!named) return true;
  const [number, queue] = String(port).split(".").map(Number);
  return named[1].split(", ").some((part) => {
    const [, first, last, of] = part.match(/^(\d+)(?:-(\d+))?.*?(?: queue (\d))?$/);
    return Number(first) <= number && number <= Number(last ?? first) && Number(of ?? 0) === (queue ?? 0);
  });
}

export class PortView {
  constructor(root, name, port) {
    this.question = `port.json?switch=${encodeURIComponent(name)}&port=${port}`;
    this.port = port;
    this.name = name;
    this.points = [];
    this.plots = null;
    this.isClosed = false;
    this.figures = element("dl", { className: "figures" });
    this.notice = element("p", { className: "notice", hidden: true });
    this.hint = element("p", { className: "hint" }, "Dotted vertical lines are events of this port and its switch, listed below.");
    this.charts = element("div", { className: "charts" });
    this.agreements = element("div", { className: "agreements" });
    this.title = element("h1", {}, `port ${port}`);
    this.release = element("button", { className: "release", hidden: true, onclick: () => this.#release() });
    root.replaceChildren(this.title, this.notice, this.release, this.figures, this.agreements, this.charts, this.hint);
  }

  close() {
    this.isClosed = true;
    this.plots?.forEach(({ chart }) => chart.close());
  }

  async update(fleet) {
    const last = this.points.at(-1);
    const answer = await ask(`${this.question}&since=${last ? last[0] : 0}`);
    if (answer.status === 404) {
      this.notice.hidden = false;
      setText(this.notice, "no such port");
      return;
    }
    const told = await answer.json();
    if (this.isClosed) return;
    this.points.push(...told.points.filter((point) => !this.points.length || point[0] > this.points.at(-1)[0]));
    while (this.points.length && this.points[0][0] < fleet.time_s - SHOWN_S) this.points.shift();
    this.#showFigures(told, fleet);
    this.#showCurves(told, fleet.events);
    this.#showAgreements(told.agreements);
    setText(this.title, told.name ? `port ${told.port} (${told.name})` : `port ${told.port}`);
    this.#showControl(told);
  }

  #showControl(told) {
    this.isReleased = told.control_state === "held by safe limit";
    const state = told.control_state === "in control" ? "" : told.control_state;
    const notice = [state, this.answer, told.notice].filter(Boolean).join("; ");
    setText(this.notice, notice);
    this.notice.hidden = notice === "";
    setText(this.release, this.isReleased ? "take back control" : "return to safe limit");
    this.release.hidden = !told.can_release || told.control_state === "observed";
  }

  async #release() {
    const asked = this.isReleased ? "Control this port again?" : "Return this port to its safe limit and hold it there?";
    if (!confirm(asked)) return;
    this.release.disabled = true;
    const told = { switch: this.name, port: this.port, take_back: this.isReleased, who: "the page" };
    try {
      const answer = await send("release", told);
      this.answer = answer.ok ? "" : (await answer.text()).trim();
    } catch (error) {
      this.answer = `no answer (${error.message})`;
    }
    this.release.disabled = false;
  }

  #at(told, column) {
    const index = told.columns.indexOf(column);
    return this.points.length ? this.points.at(-1)[index] : null;
  }

  #showFigures(told, fleet) {
    const at = (column) => this.#at(told, column);
    const capacity = at("capacity_bps") ?? told.capacity_bps;
    const bytes = at("limit_bytes");
    const port = fleet.switches.find((each) => each.name === this.name)?.ports.find((each) => String(each.port) === this.port);
    const gains = Object.values(told.gains).map((gain) => number(gain)).join(", ");
    const figures = [
      ["state", port ? fleet.states[port.state] : UNKNOWN],
      ["binding", this.points.length ? spelt(told.bindings[at("binding")]) : UNKNOWN],
      ["traffic", rate(at("offered_bps"))],
      ["utilization", `${share(at("utilization"))} of ${share(told.utilization)}`],
      ["loss", `${share(at("loss"), 2)} of ${share(told.loss, 2)}`],
      ["limit", this.points.length ? limit(bytes) : UNKNOWN],
      ["drain time", capacity && bytes ? duration((8 * bytes) / capacity) : UNKNOWN],
      ["capacity", `${rate(at("capacity_bps"))} measured, ${rate(told.capacity_bps)} declared`],
      ["policy", told.policy + (gains ? ` (gains ${gains})` : "")],
    ];
    if (told.control_state !== "in control" && told.decided_limit_bytes !== null)
      figures.push(["the policy would set", limit(told.decided_limit_bytes)]);
    if (at("active_flows") !== null)
      figures.push(["flows", `${number(at("long_flows"))} long, ${number(at("active_flows"))} active`]);
    if (at("round_trip_s") !== null) figures.push(["round trip without queue", duration(at("round_trip_s"))]);
    if (told.ecn_marking) figures.push(["marked", share(at("marked_share"), 2)]);
    this.figures.replaceChildren(
      ...figures.map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text))),
    );
  }

  #showCurves(told, events) {
    if (!this.plots) this.plots = plotsOf(this.charts, told);
    const column = (name) => {
      const index = told.columns.indexOf(name);
      return this.points.map((point) => point[index]);
    };
    const times = column("time_s");
    const values = (curve) => {
      if (curve.column === undefined) return times.map(() => curve.constant);
      return curve.of ? column(curve.column).map(curve.of) : column(curve.column);
    };
    const marks = events.filter(([, line]) => concerns(line, this.name, this.port)).map(([time_s]) => time_s);
    for (const { chart, curves } of this.plots) chart.show([times, ...curves.map(values)], marks);
  }

  #showAgreements(agreements) {
    if (agreements.length === 0) return;
    const titles = ["agreement", "", "compliance", "error budget", "burn rate", "failed", "breaches", "promise", "last failure"];
    const rows = agreements.map((each) =>
      element(
        "tr",
        {},
        element("td", { className: "text" }, each.name),
        element("td", { className: each.is_broken ? "text broken" : "text kept" }, each.is_broken ? "broken" : "kept"),
        element("td", {}, share(each.compliance, 2)),
        element("td", {}, share(each.error_budget, 0)),
        element("td", {}, number(each.burn_rate)),
        element("td", {}, `${each.failed} of ${each.judged}`),
        element("td", {}, String(each.breaches)),
        element("td", { className: "text wide" }, each.terms),
        element("td", { className: "text wide" }, each.reason || UNKNOWN),
      ),
    );
    const head = element("tr", {}, ...titles.map((title) => element("th", { className: "text" }, title)));
    this.agreements.replaceChildren(
      element("h2", {}, "Agreements"),
      element("table", { className: "listing" }, element("thead", {}, head), element("tbody", {}, ...rows)),
    );
  }
}

// A curve through words, which their numbers stand for.
function named(words) {
  return {
    height: 76 + 18 * words.length,
    axisWidth: 170,
    text: (value) => words[value] ?? "",
    ticks: { splits: () => [...words.keys()] },
    range: () => [-0.5, words.length - 0.5],
  };
}

function plotsOf(parent, told) {
  const dash = [6, 4];
  const target = (label, constant) => ({ label, constant, colour: "--ink", dash });
  const specifications = [
    [
      "Offered traffic",
      [
        { label: "offered", column: "offered_bps", colour: "--link" },
        { label: "capacity", column: "capacity_bps", colour: "--ink", dash },
      ],
      { text: rate, range: upwards(told.capacity_bps ?? 1) },
    ],
    [
      "Utilization",
      [{ label: "measured", column: "utilization", colour: "--fine" }, target("target", told.utilization)],
      { text: (value) => share(value), range: (plot, low) => [Math.max(0, Math.min(low ?? 1, told.utilization) - 0.02), 1.005] },
    ],
    [
      "Loss",
      [
        { label: "dropped", column: "loss", colour: "--broken" },
        ...(told.ecn_marking ? [{ label: "marked", column: "marked_share", colour: "--silent" }] : []),
        target("target", told.loss),
      ],
      { text: (value) => share(value, 2), range: upwards(1.5 * told.loss) },
    ],
    [
      "Flows",
      [
        { label: "active", column: "active_flows", colour: "--faint" },
        { label: "long", column: "long_flows", colour: "--link" },
      ],
      { text: (value) => number(value), range: upwards(1) },
    ],
    [
      "Round-trip time",
      [{ label: "mean, without this queue", column: "round_trip_s", colour: "--link" }],
      { text: duration, range: upwards(1e-6) },
    ],
    [
      "Limit and backlog",
      [
        { label: "limit", column: "limit_bytes", colour: "--ink", stepped: true },
        { label: "max backlog", column: "greatest_backlog_bytes", colour: "--missed" },
        { label: "min backlog", column: "least_backlog_bytes", colour: "--bound" },
        target("min-limit", told.min_limit_bytes),
      ],
      { text: size, ticks: { incrs: POWERS }, range: upwards(told.min_limit_bytes) },
    ],
    [
      "Queue delay",
      [
        { label: "max", column: "queue_delay_s", colour: "--bound" },
        ...(told.max_delay_s === null ? [] : [target("max-delay", told.max_delay_s)]),
      ],
      { text: duration, range: upwards(told.max_delay_s ?? 1e-6) },
    ],
    [
      "What sets the limit",
      [
        { label: "binding", column: "binding", colour: "--link", stepped: true },
      ],
      named(told.bindings.map(spelt)),
    ],
    ["State", [{ label: "state", column: "state", colour: "--ink", stepped: true }], named(told.states)],
  ];
  return specifications.map(([title, curves, options]) => ({
    chart: new Chart(parent, title, curves, options),
    curves,
  }));
}
