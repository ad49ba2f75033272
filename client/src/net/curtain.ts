// Holds what comes with a card until the card's moment, so that everybody sees it at the same one. What is held back is
// let through in the very frame that shows it. Nothing in this file knows what a card is.
import type { ServerMessage, Soon } from '../wire'
import { Frames } from './frames'

const AWAKE_MS = 60 // frames are counted so long before the moment: a lone one comes too early
const ASLEEP_MS = 500 // a page that draws no frames so long after the moment does without them

/** These say nothing of the card, and wait for nothing. */
const AT_ONCE = new Set<ServerMessage['t']>(['late', 'refused', 'done', 'lines', 'unheard', 'bye'])

/** These say how everything stands: whatever was held is in them. */
const ANEW = new Set<ServerMessage['t']>(['welcome', 'back'])

export class Curtain {
  private held: ServerMessage[] = []
  private soon: Soon | null = null
  private due = false
  private timer = 0
  private frame = 0
  private readonly frames = new Frames()
  private readonly look = () => this.soon && this.wait(this.soon)

  /** `seen`: card `n` is to be seen from `p_ms` on; it is drawn, and frames last `f_ms`. */
  constructor(
    private readonly pass: (message: ServerMessage) => void,
    private readonly seen: (n: number, p_ms: number, f_ms: number) => void,
  ) {
    document.addEventListener('visibilitychange', this.look)
  }

  take(message: ServerMessage) {
    if (ANEW.has(message.t)) this.drop()
    if (!this.soon && message.t === 'soon') return this.wait((this.soon = message))
    if (!this.soon || AT_ONCE.has(message.t)) return this.pass(message)
    this.held.push(message)
    if (this.due) this.lift() // no frame shows it
  }

  /** What is held back will never be shown: it comes again. */
  drop() {
    this.rest()
    this.soon = null
    this.held = []
  }

  end() {
    this.drop()
    document.removeEventListener('visibilitychange', this.look)
  }

  private wait({ at_ms }: Soon) {
    this.rest()
    const left = at_ms - performance.now()
    if (document.hidden) this.timer = window.setTimeout(() => this.unseen(), left)
    else if (left > AWAKE_MS) this.timer = window.setTimeout(() => this.count(), left - AWAKE_MS)
    else this.count()
  }

  private count() {
    const late = this.soon!.at_ms - performance.now() + ASLEEP_MS
    this.timer = window.setTimeout(() => this.unseen(), Math.max(late, ASLEEP_MS))
    this.frames.begin()
    const next = (start: number) => {
      const { n, at_ms } = this.soon!
      const each = this.frames.note(start)
      const now = start + each >= at_ms - each / 2
      if (!now || !this.held.length) return (this.frame = requestAnimationFrame(next))
      this.lift()
      return this.seen(n, this.frames.shown(start), each)
    }
    this.frame = requestAnimationFrame(next)
  }

  /** The moment has come, and nobody looks. */
  private unseen() {
    cancelAnimationFrame(this.frame)
    if (this.held.length) this.lift()
    else this.due = true
  }

  /** Lets through what is held, up to the next card. */
  private lift() {
    this.rest()
    this.soon = null
    while (this.held.length && !this.soon) this.take(this.held.shift()!)
  }

  private rest() {
    clearTimeout(this.timer)
    cancelAnimationFrame(this.frame)
    this.due = false
  }
}
