// When a change has been painted.

/** Calls back when what is on the page now has been painted, as nearly as a page can know. */
export function afterPaint(painted: () => void) {
  requestAnimationFrame(() => {
    const channel = new MessageChannel()
    channel.port1.onmessage = painted
    channel.port2.postMessage(0)
  })
}
