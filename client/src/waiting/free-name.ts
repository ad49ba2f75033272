// A free name like one that is taken. Cuts no emoji or letter in two.

import { letters } from '../browser/letters'

const MAX_LENGTH = 20

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** `name` with the first number from 2 on that is free; a long name is cut to fit the number. */
export function freeName(name: string, taken: readonly string[]): string {
  const characters = letters(name)
  for (let n = 2; ; n++) {
    const end = ` ${n}`
    const other =
      characters
        .slice(0, MAX_LENGTH - end.length)
        .join('')
        .trimEnd() + end
    if (!taken.some((one) => same(one, other))) return other
  }
}
