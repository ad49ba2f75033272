// Names for players who typed none.

/** Each player's name: as typed, or the first default name that is free. */
export function namesFor(typed: readonly string[], usual: readonly string[]): string[] {
  const names = typed.map((name) => name.trim())
  const free = usual.filter((name) => !names.some((other) => same(name, other)))
  return names.map((name) => name || (free.shift() ?? ''))
}

/** The first name that two of them have; null if there is none. */
export const duplicateName = (names: readonly string[]): string | null =>
  names.find((name, i) => names.slice(0, i).some((other) => same(name, other))) ?? null

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
