// Holds messages back until a card's reveal time, so that all players see the card at the same moment, and delivers
// them in the frame that shows it. Does not depend on cards or rules.
import type { ServerMessage, RevealAt } from '../wire'
import { FrameTimer } from './frame-timer'

const FRAME_LEAD_MS = 60 // frames are measured this long before the reveal: a single first frame comes too early
const HOLD_MOST_MS = 1000 // the server announces a card a quarter of a second ahead: a later time is of a clock that has stopped since
const FRAME_TIMEOUT_MS = 500 // a page that draws no frame this long after the reveal gets the message without one

/** Messages that do not depend on the card, and are delivered at once. */
const IMMEDIATE = new Set<ServerMessage['t']>([
  'late',
  'refused',
  'done',
  'link_stats',
  'rate_limited',
  'bye',
  'moved',
  'nodes',
  'saving',
])

/** Snapshots: they contain all that is in the queue. */
const SNAPSHOTS = new Set<ServerMessage['t']>(['welcome', 'reconnected'])

export class RevealScheduler {
  private queue: ServerMessage[] = []
  private pending: RevealAt | null = null
  private overdue = false
  private timer = 0
  private frame = 0
  private readonly frames = new FrameTimer()
  private readonly reschedule = () => this.pending && this.schedule(this.pending)

  /** `onShown`: card `n` is drawn and visible from `p_ms` on; a frame lasts `f_ms`. */
  constructor(
    private readonly deliver: (message: ServerMessage) => void,
    private readonly onShown: (n: number, p_ms: number, f_ms: number) => void,
  ) {
    document.addEventListener('visibilitychange', this.reschedule)
  }

  receive(message: ServerMessage) {
    if (SNAPSHOTS.has(message.t)) this.discard()
    if (!this.pending && message.t === 'reveal_at') {
      const at_ms = Math.min(message.at_ms, performance.now() + HOLD_MOST_MS)
      return this.schedule((this.pending = { ...message, at_ms }))
    }
    if (!this.pending || IMMEDIATE.has(message.t)) return this.deliver(message)
    this.queue.push(message)
    if (this.overdue) this.release() // no frame will show it
  }

  /** Drops the queue: the server sends its messages again. */
  discard() {
    this.cancelTimers()
    this.pending = null
    this.queue = []
  }

  end() {
    this.discard()
    document.removeEventListener('visibilitychange', this.reschedule)
  }

  private schedule({ at_ms }: RevealAt) {
    this.cancelTimers()
    const left = at_ms - performance.now()
    if (document.hidden) this.timer = window.setTimeout(() => this.releaseUnseen(), left)
    else if (left > FRAME_LEAD_MS) this.timer = window.setTimeout(() => this.watchFrames(), left - FRAME_LEAD_MS)
    else this.watchFrames()
  }

  private watchFrames() {
    const late = this.pending!.at_ms - performance.now() + FRAME_TIMEOUT_MS
    this.timer = window.setTimeout(() => this.releaseUnseen(), Math.max(late, FRAME_TIMEOUT_MS))
    this.frames.start()
    const next = (start: number) => {
      const { n, at_ms } = this.pending!
      const frameMs = this.frames.record(start)
      const now = start + this.frames.refreshMs >= at_ms - frameMs / 2
      if (!now || !this.queue.length) return (this.frame = requestAnimationFrame(next))
      this.release()
      return this.onShown(n, this.frames.visibleAt(start), Math.round(frameMs * 100) / 100)
    }
    this.frame = requestAnimationFrame(next)
  }

  /** The reveal time has passed on a page that draws no frames. */
  private releaseUnseen() {
    cancelAnimationFrame(this.frame)
    if (this.queue.length) this.release()
    else this.overdue = true
  }

  /** Delivers the queue, up to the next card. */
  private release() {
    this.cancelTimers()
    this.pending = null
    while (this.queue.length && !this.pending) this.receive(this.queue.shift()!)
  }

  private cancelTimers() {
    clearTimeout(this.timer)
    cancelAnimationFrame(this.frame)
    this.overdue = false
  }
}
