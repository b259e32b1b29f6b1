// The way through the page: fleet, switch, port; and the second by second questions to the server.

import { element, setText } from "./elements.js";
import { FleetView } from "./fleet.js";
import { PortView } from "./port.js";
import { ask } from "./questions.js";
import { SwitchView } from "./switch.js";
import { clock, spelt } from "./texts.js";

const PERIOD_MS = 1000;

const view = document.getElementById("view");
const way = document.getElementById("way");
const pulse = document.getElementById("pulse");
const eventList = document.getElementById("event-list");

let shown = null;
let newest = null;

function route() {
  const [, kind, name, number] = parts(location.hash);
  shown?.close?.();
  way.replaceChildren(element("a", { href: "#" }, "all ports"));
  if (kind === "switch") way.append(element("a", { href: switchLink(name) }, name));
  if (number !== undefined) way.append(element("a", { href: location.hash }, `port ${number}`));
  if (kind !== "switch") shown = new FleetView(view);
  else if (number === undefined) shown = new SwitchView(view, name);
  else shown = new PortView(view, name, number);
  if (newest) shown.update(newest);
}

function parts(hash) {
  try {
    return hash.split("/").map(decodeURIComponent);
  } catch {
    return []; // what somebody typed, and no browser would have encoded
  }
}

export function switchLink(name) {
  return `#/switch/${encodeURIComponent(name)}`;
}

async function refresh() {
  try {
    const answer = await ask("fleet.json");
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    newest = decoded(await answer.json());
    await shown.update(newest);
    showEvents(newest.events);
    setText(pulse, clock(newest.time_s));
    pulse.className = "";
    mark();
  } catch (error) {
    setText(pulse, `no answer from the controller (${error.message})`);
    pulse.className = "lost";
  }
  setTimeout(refresh, PERIOD_MS);
}

// Ports come as rows, to be short; they go on as objects.
function decoded(fleet) {
  for (const each of fleet.switches) {
    each.ports = each.ports.map((row) => {
      const port = { switch: each.name };
      fleet.columns.forEach((column, index) => (port[column] = row[index]));
      port.binding = port.binding === null ? null : spelt(fleet.bindings[port.binding]);
      return port;
    });
  }
  return fleet;
}

function showEvents(events) {
  const last = events.length ? `${events.length} ${events.at(-1)}` : "";
  if (eventList.dataset.last === last) return;
  eventList.dataset.last = last;
  eventList.replaceChildren(
    ...events.toReversed().map(([time_s, line]) => element("li", {}, element("time", {}, clock(time_s)), line)),
  );
}

// When the ports were first on the screen, for who measures that.
function mark() {
  if (performance.getEntriesByName("ports-shown").length === 0) {
    requestAnimationFrame(() => setTimeout(() => performance.mark("ports-shown")));
  }
}

addEventListener("hashchange", route);
route();
refresh();
