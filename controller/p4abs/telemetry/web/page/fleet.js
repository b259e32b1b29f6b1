// All switches and ports at a glance: a tile for each port, coloured by what it needs of people.

import { element, setClass, setText } from "./elements.js";
import { duration, limit, rate, share } from "./texts.js";

export class FleetView {
  constructor(root) {
    this.root = root;
    this.sections = new Map();
    this.only = null;
    this.layout = "";
    this.legend = element("ul", { className: "legend" });
    root.replaceChildren(this.legend);
  }

  update(fleet) {
    this.#count(fleet);
    this.#forgetOthers(fleet);
    for (const each of fleet.switches) {
      if (!this.sections.has(each.name)) this.sections.set(each.name, new Section(this.root, each));
      this.sections.get(each.name).update(each, this.only, fleet.states);
    }
  }

  // Switches or ports have come or gone, by a reload or as the controller was started anew.
  #forgetOthers(fleet) {
    const layout = JSON.stringify(fleet.switches.map((each) => [each.name, each.ports.map((port) => port.port)]));
    if (layout === this.layout) return;
    this.layout = layout;
    for (const section of this.sections.values()) section.box.remove();
    this.sections.clear();
  }

  #count(fleet) {
    const counts = fleet.states.map(() => 0);
    for (const each of fleet.switches) for (const port of each.ports) counts[port.state] += 1;
    if (this.legend.childElementCount === 0) {
      this.counts = fleet.states.map((text, state) => this.#button(text, state));
    }
    counts.forEach((count, state) => {
      setText(this.counts[state], String(count));
      this.counts[state].closest("li").hidden = count === 0 && this.only !== state;
    });
  }

  #button(text, state) {
    const count = element("b", {});
    const button = element(
      "button",
      { type: "button", "aria-pressed": "false", title: "show these alone" },
      element("span", { className: `mark state-${state}` }),
      count,
      ` ${text}`,
    );
    button.addEventListener("click", () => {
      this.only = this.only === state ? null : state;
      for (const other of this.legend.querySelectorAll("button")) {
        other.setAttribute("aria-pressed", String(other === button && this.only !== null));
      }
      for (const section of this.sections.values()) section.dim(this.only);
    });
    this.legend.append(element("li", {}, button));
    return count;
  }
}

class Section {
  constructor(root, each) {
    this.link = `#/switch/${encodeURIComponent(each.name)}`;
    this.tiles = new Map();
    this.grid = element("div", { className: "tiles" });
    this.state = element("span", { className: "faint" });
    const title = element("h1", {}, element("a", { href: this.link }, each.name), " ", this.state);
    this.box = element("section", { className: "switch" }, title, this.grid);
    for (const port of each.ports) this.tiles.set(port.port, new Tile(this.link, port));
    this.grid.append(...[...this.tiles.values()].map((tile) => tile.node));
    root.append(this.box);
  }

  update(each, only, states) {
    setText(this.state, stateText(each));
    setClass(this.box, each.is_in_control ? "switch" : "switch lost");
    for (const port of each.ports) this.tiles.get(port.port).update(port, only, states);
  }

  dim(only) {
    for (const tile of this.tiles.values()) tile.dim(only);
  }
}

class Tile {
  constructor(link, port) {
    this.node = element("a", { href: `${link}/${port.port}` }, String(port.port));
    this.node.addEventListener("mouseenter", () => (this.node.title = this.#title()));
  }

  update(port, only, states) {
    this.port = port;
    this.text = states[port.state];
    this.dim(only);
  }

  dim(only) {
    const dimmed = only !== null && only !== this.port.state ? " dimmed" : "";
    setClass(this.node, `tile state-${this.port.state}${dimmed}`);
  }

  #title() {
    const { port } = this;
    return (
      `port ${port.port}${port.name ? ` (${port.name})` : ""} ${this.text}${port.reason ? `\n${port.reason}` : ""}\n` +
      `traffic ${rate(port.offered_bps)}\n` +
      `utilization ${share(port.utilization)} of ${share(port.utilization_target)}\n` +
      `loss ${share(port.loss, 2)} of ${share(port.loss_target, 2)}\n` +
      `limit ${limit(port.limit_bytes)}, delay ${duration(port.queue_delay_s)}\n` +
      `binding ${port.binding ?? "–"}`
    );
  }
}

export function stateText(each) {
  const texts = [each.state, each.register_path, `${each.ports.length} ports`];
  if (each.intervals !== undefined) {
    texts.push(
      `exchange ${duration(each.exchange_s)}`,
      `missed intervals ${each.missed_deadlines}`,
      `lost exchanges ${each.lost_exchanges}`,
      `reconnections ${each.reconnections}`,
    );
  }
  return texts.filter(Boolean).join(" · ");
}
