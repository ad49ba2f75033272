// A pulse while a card can be slapped. Each beat says: whatever was slapped here until now, you have.

const FIRST_MS = 150 // no hand is faster: a beat before that clears nobody of anything
const EVERY_MS = 50
const MOST_MS = 1500

export class Beats {
  private timer = 0

  constructor(private readonly beat: (c_ms: number) => void) {}

  /** From now on, until it is over or long enough. */
  begin() {
    this.end()
    const until = performance.now() + MOST_MS
    const next = () => {
      const now = performance.now()
      if (now < until) this.timer = window.setTimeout(next, EVERY_MS)
      this.beat(now)
    }
    this.timer = window.setTimeout(next, FIRST_MS)
  }

  /** As soon as all that was pressed together has been sent: that is all of it. */
  once() {
    setTimeout(() => this.beat(performance.now()))
  }

  end() {
    clearTimeout(this.timer)
  }
}
