// One switch: a table of its ports, the worst first unless another order is chosen.

import { element, setClass, setText } from "./elements.js";
import { stateText } from "./fleet.js";
import { duration, limit, number, rate, share, size } from "./texts.js";

const COLUMNS = [
  { title: "port", value: (p) => Number(p.port), text: (p) => (p.name ? `${p.port} ${p.name}` : String(p.port)) },
  { title: "state", value: worstFirst, text: (p, fleet) => fleet.states[p.state], words: true },
  { title: "traffic", value: (p) => p.offered_bps, text: (p) => rate(p.offered_bps) },
  { title: "utilization", value: (p) => p.utilization, text: (p) => share(p.utilization) },
  { title: "target", value: (p) => p.utilization_target, text: (p) => share(p.utilization_target) },
  { title: "loss", value: (p) => p.loss, text: (p) => share(p.loss, 2) },
  { title: "target", value: (p) => p.loss_target, text: (p) => share(p.loss_target, 2) },
  { title: "limit", value: (p) => p.limit_bytes, text: (p) => limit(p.limit_bytes) },
  { title: "backlog", value: (p) => p.greatest_backlog_bytes, text: (p) => size(p.greatest_backlog_bytes) },
  { title: "delay", value: (p) => p.queue_delay_s, text: (p) => duration(p.queue_delay_s) },
  { title: "capacity", value: (p) => p.capacity_bps, text: (p) => rate(p.capacity_bps) },
  { title: "binding", value: (p) => p.binding, text: (p) => p.binding ?? "–", words: true },
  { title: "policy", value: (p) => p.policy, text: (p) => p.policy, words: true },
  { title: "error budget", value: (p) => p.error_budget, text: (p) => share(p.error_budget, 0) },
  { title: "burn rate", value: (p) => p.burn_rate, text: (p) => number(p.burn_rate) },
];

// Among ports of the same state, the one that is furthest from its targets.
function worstFirst(port) {
  return port.state - Math.min(port.excess, 999) / 1000;
}

export class SwitchView {
  constructor(root, name) {
    this.name = name;
    this.fleet = null;
    this.order = { column: COLUMNS[1], descending: false };
    this.rows = new Map();
    this.state = element("p", { className: "faint" });
    this.filter = element("input", { type: "search", placeholder: "port, name, state, binding or policy" });
    this.filter.addEventListener("input", () => this.#again());
    this.headings = COLUMNS.map((column) => this.#heading(column));
    this.body = element("tbody", {});
    const head = element("thead", {}, element("tr", {}, ...this.headings));
    const table = element("table", { className: "listing" }, head, this.body);
    const scroll = element("div", { className: "scroll" }, table);
    root.replaceChildren(element("h1", {}, name), this.state, this.filter, scroll);
    this.#showOrder();
  }

  update(fleet) {
    this.fleet = fleet;
    const found = fleet.switches.find((each) => each.name === this.name);
    setText(this.state, found ? stateText(found) : "no such switch");
    const ports = (found?.ports ?? []).filter((port) => this.#isWanted(port));
    const nodes = this.#sorted(ports).map((port) => this.#row(port));
    const isInOrder = nodes.length === this.body.childElementCount && nodes.every((node, at) => node === this.body.children[at]);
    if (!isInOrder) this.body.replaceChildren(...nodes);
  }

  #again() {
    if (this.fleet) this.update(this.fleet);
  }

  #isWanted(port) {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = [String(port.port), (port.name ?? "").toLowerCase(), this.fleet.states[port.state], port.binding ?? "", port.policy];
    return words.every((word) => (/^\d+(\.\d)?$/.test(word) ? [texts[0], texts[0].split(".")[0]].includes(word) : texts.some((text) => text.includes(word))));
  }

  #sorted(ports) {
    const { column, descending } = this.order;
    const sign = descending ? -1 : 1;
    const compared = (one, other) => {
      const [a, b] = [column.value(one), column.value(other)];
      if (a === b) return Number(one.port) - Number(other.port);
      // What is not known comes last, whatever the direction.
      if (a === null || b === null) return a === null ? 1 : -1;
      return a < b ? -sign : sign;
    };
    return ports.toSorted(compared);
  }

  #row(port) {
    if (!this.rows.has(port.port)) this.rows.set(port.port, newRow(port));
    const { node, cells, mark } = this.rows.get(port.port);
    cells.forEach((cell, index) => setText(cell, COLUMNS[index].text(port, this.fleet)));
    setClass(mark, `mark state-${port.state}`);
    return node;
  }

  #heading(column) {
    const button = element("button", { type: "button" }, column.title);
    button.addEventListener("click", () => {
      const again = this.order.column === column;
      this.order = { column, descending: again ? !this.order.descending : false };
      this.#showOrder();
      this.#again();
    });
    return element("th", { className: column.words ? "text" : "" }, button);
  }

  #showOrder() {
    this.headings.forEach((heading, index) => {
      if (COLUMNS[index] !== this.order.column) heading.removeAttribute("aria-sort");
      else heading.setAttribute("aria-sort", this.order.descending ? "descending" : "ascending");
    });
  }
}

function newRow(port) {
  const link = element("a", { href: `#/switch/${encodeURIComponent(port.switch)}/${port.port}` });
  const mark = element("span", {});
  const cells = COLUMNS.map(() => element("span", {}));
  cells[0] = link;
  const fields = COLUMNS.map((column, index) =>
    element("td", { className: column.words ? "text" : "" }, ...(index === 1 ? [mark] : []), cells[index]),
  );
  return { node: element("tr", {}, ...fields), cells, mark };
}
