// Prefetching: loads code before it is needed, once the page is idle, but not where the browser saves data.

const REST_MS = 1500

const saving = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

export function whenIdle(then: () => void) {
  const wait = () => setTimeout(then, REST_MS)
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}

export function prefetch(part: () => Promise<unknown>) {
  if (!saving()) whenIdle(() => void part().catch(() => {})) // it is loaded again when it is needed
}
