// Each seat's current reaction. It is shown for a moment only.
import type { React } from '../wire'

export type Reaction = React['reaction']

export const REACTIONS: readonly Reaction[] = ['clap', 'laugh', 'wow', 'oops', 'close', 'hurry']

/** The sign that a key stands for while the signs are offered. */
export const reactionForKey = (code: string): Reaction | undefined =>
  REACTIONS[Number(/^(?:Digit|Numpad)([1-6])$/.exec(code)?.[1]) - 1]

const SHOW_MS = 2500

export class Reactions {
  /** By seat; each sign is a new object, so that it can be seen again. */
  now = $state.raw<Readonly<Record<number, { what: Reaction }>>>({})

  private timers: Record<number, number> = {}

  show(seat: number, what: Reaction) {
    this.now = { ...this.now, [seat]: { what } }
    clearTimeout(this.timers[seat])
    this.timers[seat] = window.setTimeout(() => this.forget(seat), SHOW_MS)
  }

  end() {
    for (const timer of Object.values(this.timers)) clearTimeout(timer)
  }

  forget(seat: number) {
    this.now = Object.fromEntries(Object.entries(this.now).filter(([other]) => Number(other) !== seat))
  }
}
