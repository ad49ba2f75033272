// The requests of this page: numbered, so that each is done once however often it is sent, and repeated until the server has
// answered that very one. What is of the moment, or names a seat that somebody else may have by then, is sent once.
import type { ClientMessage } from '../wire'

const WHILE_MS = 30_000 // after that a person has thought of something else

/** For how long each is said again. */
const KEPT_MS = {
  act: 0,
  react: 0,
  remove: 0,
  mute: 0,
  start: WHILE_MS,
  again: WHILE_MS,
  lift: WHILE_MS,
  house: WHILE_MS,
  list: WHILE_MS,
  lock: WHILE_MS,
  readmit: WHILE_MS,
  nonce: WHILE_MS,
  bot: WHILE_MS,
  leave: Infinity,
}

/** Of these only the newest counts: a later one takes the place of one that has not been answered. */
const NEWEST_COUNTS = new Set<string>(['house', 'list', 'lock', 'readmit', 'start', 'again', 'lift'])

export type Wish = Extract<ClientMessage, { t: keyof typeof KEPT_MS }>

export const isWish = (message: ClientMessage): message is Wish => message.t in KEPT_MS

export class Wishes {
  private said = 0
  private up = false
  private later = 0
  private kept: { wish: Wish; s: number; until: number }[] = []

  constructor(private readonly send: (wish: Wish) => boolean) {}

  /** Whether it has been said, or will be. */
  say(wish: Wish): boolean {
    const s = ++this.said
    const numbered = { ...wish, s }
    const ms = KEPT_MS[wish.t]
    if (NEWEST_COUNTS.has(wish.t)) this.kept = this.kept.filter((other) => other.wish.t !== wish.t)
    if (ms) this.kept.push({ wish: numbered, s, until: Date.now() + ms })
    return (this.up && this.send(numbered)) || ms > 0
  }

  /** The page is connected, and the server knows who is at it. */
  reach() {
    if (this.up) return
    this.up = true
    this.repeat()
  }

  lose() {
    this.up = false
    clearTimeout(this.later)
  }

  /** The server has passed over something that this page sent, and passes over what it sends within `ms`. */
  unheard(ms: number) {
    clearTimeout(this.later)
    this.later = window.setTimeout(() => this.repeat(), ms)
  }

  /** The server has answered request `s`; of those before it that says nothing. */
  answered(s: number) {
    this.kept = this.kept.filter((other) => other.s !== s)
  }

  /** Sends everything again that is not answered, in its order. */
  private repeat() {
    if (!this.up) return
    const now = Date.now()
    this.kept = this.kept.filter(({ until }) => now < until)
    for (const { wish } of this.kept) this.send(wish)
  }

  /** Whether somebody here has left, and the server has not said that it knows. */
  get leaving(): boolean {
    return this.kept.some(({ wish }) => wish.t === 'leave')
  }
}
