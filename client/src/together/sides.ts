// The players' sides of a screen that lies on a table. Shows nothing.

/** By how many degrees a player's things are turned: 0 below, 90 left, 180 above, 270 right. */
export type Side = 0 | 90 | 180 | 270

const SIDES: Readonly<Record<number, readonly Side[]>> = { 1: [0], 2: [0, 180], 3: [0, 90, 270], 4: [0, 90, 180, 270] }

export const FEWEST = 2
export const MOST = 4

/** The side of each of so many players, in the order in which they play: with the clock, as seen from above. */
export const sidesFor = (players: number): readonly Side[] => SIDES[Math.min(players, MOST)] ?? []

/** Three or four players need a screen whose shorter edge is so long, in pixels: pads, and a pile between them. */
export const WIDE_ENOUGH = 600
