// What the page asks its server.

const PATIENCE_MS = 3000;

// An address with a name and a password in it, as the page's own may be, is one from which browsers fetch nothing.
export function ask(path) {
  const address = new URL(path, location.origin + location.pathname);
  return fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
}
