// The seats' positions on a big screen: all players, in the order of play around the table.

export interface Sides {
  left: number[]
  top: number[]
  right: number[]
}

/** The left side is listed from bottom to top, the right one from top to bottom. */
export function sidesOf(round: readonly number[]): Sides {
  const top = round.length < 3 ? 0 : round.length === 8 ? 2 : round.length % 2
  const left = Math.ceil((round.length - top) / 2)
  return { left: round.slice(0, left), top: round.slice(left, left + top), right: round.slice(left + top) }
}
