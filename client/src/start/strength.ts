// How strong a bot is, by its name: one of the plain strengths, or an opponent who has a name of his own.
import type { NewRoom } from '../wire'
import { words } from '../words'

export type Strength = NonNullable<NewRoom['strength']>

export const PLAIN = ['gentle', 'steady', 'sharp'] as const satisfies Strength[]

export type Opponent = Exclude<Strength, (typeof PLAIN)[number]>

export const isPlain = (strength: Strength): strength is (typeof PLAIN)[number] => PLAIN.some((plain) => plain === strength)

/** What a bot of a strength is called. */
export const called = (strength: Strength) => (isPlain(strength) ? words.start.strengths[strength].label : strength[0]!.toUpperCase() + strength.slice(1))
