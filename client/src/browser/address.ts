// The address of the page. Browsers refuse changes that come too often, and some pages in frames.

/** Replaces the address without loading anything. */
export function replaceAddress(path: string) {
  try {
    history.replaceState(null, '', path)
  } catch {
    // It shows where the page was before.
  }
}

/** Adds an address to the history. */
export function pushAddress(path: string) {
  try {
    history.pushState(null, '', path)
  } catch {
    // It shows where the page was before.
  }
}
