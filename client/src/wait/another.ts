// A name like the one that somebody else has already.

const MOST = 20

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** `name` with the first number from 2 on that nobody has; a long name gives way to the number. */
export function another(name: string, taken: readonly string[]): string {
  for (let n = 2; ; n++) {
    const end = ` ${n}`
    const other = name.slice(0, MOST - end.length).trimEnd() + end
    if (!taken.some((one) => same(one, other))) return other
  }
}
