// Heartbeats while a card can be slapped. Each tells the server: you have every slap made here up to this time.

const FIRST_MS = 150 // no hand is faster: a beat before that clears nobody of anything
const EVERY_MS = 50
const MOST_MS = 1500

export class Heartbeat {
  private timer = 0

  constructor(private readonly send: (c_ms: number) => void) {}

  /** From now on, until it is over or long enough. */
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

  /** As soon as all that was pressed together has been sent: that is all of it. */
  sendSoon() {
    setTimeout(() => this.send(performance.now()))
  }

  stop() {
    clearTimeout(this.timer)
  }
}
