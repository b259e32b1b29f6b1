// Curves over the last minutes, with one cursor for all charts of a page.

/* global uPlot */

import { element } from "./elements.js";
import { clock } from "./texts.js";

const HEIGHT = 190;
const minute = (seconds) => clock(seconds).slice(0, seconds % 60 ? 8 : 5);

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// `light-dark()` is resolved where a property is used, not where it is declared.
function resolved(name) {
  const probe = element("span", {});
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found || colour(name);
}

export class Chart {
  // curves: [{label, colour, dash?, stepped?}]; text: a value in words, of a curve or of all.
  constructor(parent, title, curves, { text, ticks, range }) {
    this.box = element("section", { className: "chart" }, element("h2", {}, title));
    parent.append(this.box);
    const axis = { stroke: resolved("--faint"), grid: { stroke: resolved("--line"), width: 1 }, ticks: { show: false } };
    const series = curves.map((curve) => ({
      label: curve.label,
      stroke: resolved(curve.colour),
      width: curve.dash ? 1.5 : 2,
      dash: curve.dash,
      paths: curve.stepped ? uPlot.paths.stepped({ align: 1 }) : undefined,
      points: { show: false },
      value: (plot, value) => (value === null || value === undefined ? "–" : (curve.text ?? text)(value)),
    }));
    const options = {
      width: this.#width(),
      height: HEIGHT,
      cursor: { sync: { key: "port" }, drag: { x: true, y: false } },
      scales: { y: { range } },
      axes: [{ ...axis, size: 30, values: (plot, values) => values.map(minute) }, { ...axis, size: 86, values: (plot, values) => values.map(text), ...ticks }],
      series: [{ label: "time", value: (plot, value) => (value ? clock(value) : "–") }, ...series],
    };
    this.plot = new uPlot(options, [[], ...curves.map(() => [])], this.box);
    this.resizing = new ResizeObserver(() => this.plot.setSize({ width: this.#width(), height: HEIGHT }));
    this.resizing.observe(parent);
  }

  show(columns) {
    this.plot.setData(columns);
    // Without a cursor the legend shows the newest values.
    if (this.plot.cursor.idx === null) this.plot.setLegend({ idx: columns[0].length - 1 }, false);
  }

  // All plots with the same cursor know each other until then.
  close() {
    this.resizing.disconnect();
    this.plot.destroy();
  }

  #width() {
    return Math.max(200, this.box.clientWidth - 16);
  }
}
