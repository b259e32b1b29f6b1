// Curves over the last minutes, with one cursor for all charts of a page.

/* global uPlot */

import { element } from "./elements.js";
import { clock } from "./texts.js";

const HEIGHT = 190;
const AXIS_WIDTH = 86;
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
  // height, axisWidth: of charts whose axis has long words.
  constructor(parent, title, curves, { text, ticks, range, height = HEIGHT, axisWidth = AXIS_WIDTH }) {
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
    this.marks = [];
    this.markColour = resolved("--faint");
    const options = {
      width: this.#width(),
      height,
      cursor: { sync: { key: "port" }, drag: { x: true, y: false } },
      scales: { y: { range } },
      axes: [{ ...axis, size: 30, values: (plot, values) => values.map(minute) }, { ...axis, size: axisWidth, values: (plot, values) => values.map(text), ...ticks }],
      hooks: { draw: [(plot) => this.#drawMarks(plot)] },
      series: [{ label: "time", value: (plot, value) => (value ? clock(value) : "–") }, ...series],
    };
    this.plot = new uPlot(options, [[], ...curves.map(() => [])], this.box);
    this.#resize = () => this.plot.setSize({ width: this.#width(), height });
    this.resizing = new ResizeObserver(this.#resize);
    this.resizing.observe(parent);
  }

  #resize;

  // marks: times at which something happened. A chart without any value is hidden.
  show(columns, marks = []) {
    this.marks = marks;
    const hidden = columns.slice(1).every((curve) => curve.every((value) => value === null || value === undefined));
    const returns = this.box.hidden && !hidden;
    this.box.hidden = hidden;
    if (returns) this.#resize();
    this.plot.setData(columns);
    // Without a cursor the legend shows the newest values.
    if (this.plot.cursor.idx === null) this.plot.setLegend({ idx: columns[0].length - 1 }, false);
  }

  // All plots with the same cursor know each other until then.
  close() {
    this.resizing.disconnect();
    this.plot.destroy();
  }

  #drawMarks(plot) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = this.markColour;
    ctx.setLineDash([2, 3]);
    ctx.beginPath();
    for (const time of this.marks) {
      if (time < plot.scales.x.min || time > plot.scales.x.max) continue;
      const x = Math.round(plot.valToPos(time, "x", true)) + 0.5;
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
    }
    ctx.stroke();
    ctx.restore();
  }

  #width() {
    return Math.max(200, this.box.clientWidth - 16);
  }
}
