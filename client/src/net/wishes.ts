// What this page wishes for: numbered, so that it is done once however often it is said, and said again until the server
// has answered. What is of the moment, or names a chair in which somebody else may sit by then, is said once.
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
  bot: WHILE_MS,
  leave: Infinity,
}

export type Wish = Extract<ClientMessage, { t: keyof typeof KEPT_MS }>

export const isWish = (message: ClientMessage): message is Wish => message.t in KEPT_MS

export class Wishes {
  private said = 0
  private up = false
  private kept: { wish: Wish; s: number; until: number }[] = []

  constructor(private readonly send: (wish: Wish) => boolean) {}

  /** Whether it has been said, or will be. */
  say(wish: Wish): boolean {
    const s = ++this.said
    const numbered = { ...wish, s }
    const ms = KEPT_MS[wish.t]
    if (ms) this.kept.push({ wish: numbered, s, until: Date.now() + ms })
    return (this.up && this.send(numbered)) || ms > 0
  }

  /** The line is there, and the server knows who is at it. */
  reach() {
    if (this.up) return
    this.up = true
    const now = Date.now()
    this.kept = this.kept.filter(({ until }) => now < until)
    for (const { wish } of this.kept) this.send(wish)
  }

  lose() {
    this.up = false
  }

  /** The server answers in the order in which it was asked. */
  answered(upTo: number) {
    this.kept = this.kept.filter(({ s }) => s > upTo)
  }

  /** Whether somebody here has left, and the server has not said that it knows. */
  get leaving(): boolean {
    return this.kept.some(({ wish }) => wish.t === 'leave')
  }
}
