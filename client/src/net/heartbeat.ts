// Heartbeats while a card can be slapped. Each tells the server: you have every slap made here up to this time.

const FIRST_MS = 150 // no hand is faster: an earlier heartbeat would rule out no slap
const EVERY_MS = 50
const MOST_MS = 1500
const SAME_TOUCH_MS = 60 // fingers that come down together reach the page one after the other, within this time

export class Heartbeat {
  private timer = 0

  constructor(private readonly send: (c_ms: number) => void) {}

  /** Sends heartbeats from now on, until `stop` or for MOST_MS. */
  start() {
    this.stop()
    const until = performance.now() + MOST_MS
    const tick = () => {
      const now = performance.now()
      if (now < until) this.timer = window.setTimeout(tick, EVERY_MS)
      this.send(now)
    }
    this.timer = window.setTimeout(tick, FIRST_MS)
  }

  /** Sends one heartbeat when all slaps made together with the last one have been sent. */
  sendAfterSlap() {
    setTimeout(() => this.send(performance.now()), SAME_TOUCH_MS)
  }

  stop() {
    clearTimeout(this.timer)
  }
}
