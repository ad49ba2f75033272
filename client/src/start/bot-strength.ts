// A bot's strength: one of three levels, or an opponent with a name.
import type { NewRoom } from '../wire'
import { texts } from '../i18n/language'

export type Strength = NonNullable<NewRoom['strength']>

export const LEVELS = ['gentle', 'steady', 'sharp'] as const satisfies Strength[]

export type Opponent = Exclude<Strength, (typeof LEVELS)[number]>

export const isLevel = (strength: Strength): strength is (typeof LEVELS)[number] =>
  LEVELS.some((plain) => plain === strength)

/** What a bot of a strength is called. */
export const strengthName = (strength: Strength) =>
  isLevel(strength) ? texts.start.strengths[strength].label : strength[0]!.toUpperCase() + strength.slice(1)
