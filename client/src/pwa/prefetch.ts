// Prefetching: loads code before it is needed, once the page is idle, but not where the browser saves data.

import { isOffline, savesData } from '../browser/connection'

const REST_MS = 1500

export function whenIdle(then: () => void) {
  const wait = () => setTimeout(then, REST_MS)
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}

/** Not without a network: Chromium loads again what has failed, but Firefox does not until the page is loaded again. */
export function prefetch(part: () => Promise<unknown>) {
  if (savesData()) return
  const load = () => void part().catch(() => {})
  whenIdle(() => (isOffline() ? addEventListener('online', load, { once: true }) : load()))
}
