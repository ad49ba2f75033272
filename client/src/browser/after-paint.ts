// When a change has been painted.

/** Calls back when the current frame has been painted, as nearly as a page can tell. */
export function afterPaint(painted: () => void) {
  requestAnimationFrame(() => {
    try {
      const channel = new MessageChannel()
      channel.port1.onmessage = painted
      channel.port2.postMessage(0)
    } catch {
      setTimeout(painted)
    }
  })
}
