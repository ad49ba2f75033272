// The players' sides of a screen that lies on a table. Shows nothing.

/** The rotation of a player's side in degrees: 0 below, 90 left, 180 above, 270 right. */
export type Side = 0 | 90 | 180 | 270

const SIDES: Readonly<Record<number, readonly Side[]>> = { 1: [0], 2: [0, 180], 3: [0, 90, 270], 4: [0, 90, 180, 270] }

export const FEWEST = 2
export const MOST = 4

/** The side of each player in the order of play: clockwise, as seen from above. */
export const sidesFor = (players: number): readonly Side[] => SIDES[Math.min(players, MOST)] ?? []

/** The shortest edge of a screen for three or four players, in pixels: pads, and a pile between them. */
export const WIDE_ENOUGH = 600
