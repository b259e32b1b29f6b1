// What the page asks its server, and of it.

const PATIENCE_MS = 3000;
// A switch may take some seconds to show another limit.
const SWITCH_PATIENCE_MS = 30000;

// An address with a name and a password in it, as the page's own may be, is one from which browsers fetch nothing.
export function ask(path) {
  return fetch(addressOf(path), { signal: AbortSignal.timeout(PATIENCE_MS) });
}

export function send(path, told) {
  return fetch(addressOf(path), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(told),
    signal: AbortSignal.timeout(SWITCH_PATIENCE_MS),
  });
}

const addressOf = (path) => new URL(path, location.origin + location.pathname);
