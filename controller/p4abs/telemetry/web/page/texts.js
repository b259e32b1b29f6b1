// Quantities as people read them, in the units of the command line.

export const UNKNOWN = "–";

function scaled(value, units, base) {
  let [unit, size] = units[0];
  for (const [candidate, its] of units) if (Math.abs(value) >= its) [unit, size] = [candidate, its];
  return `${Number((value / size).toPrecision(base))} ${unit}`;
}

const or = (value, text) => (value === null || value === undefined ? UNKNOWN : text(value));

export const share = (value, digits = 1) => or(value, (v) => `${(100 * v).toFixed(digits)} %`);
export const rate = (value) =>
  or(value, (v) => scaled(v, [["bit/s", 1], ["kbit/s", 1e3], ["Mbit/s", 1e6], ["Gbit/s", 1e9], ["Tbit/s", 1e12]], 4));
export const size = (value) =>
  or(value, (v) => scaled(v, [["B", 1], ["KiB", 2 ** 10], ["MiB", 2 ** 20], ["GiB", 2 ** 30]], 4));
export const duration = (value) =>
  or(value, (v) => (v === 0 ? "0 s" : scaled(v, [["µs", 1e-6], ["ms", 1e-3], ["s", 1]], 3)));
export const limit = (value) => (value === 0 ? "none" : size(value));
export const number = (value, digits = 3) => or(value, (v) => String(Number(v.toPrecision(digits))));
export const clock = (seconds) => new Date(1000 * seconds).toLocaleTimeString([], { hourCycle: "h23" });
// A name as settings spell it: max-delay.
export const spelt = (name) => name.replaceAll("_", "-");
