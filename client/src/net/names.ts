// A name that somebody wants to be kept no longer.
import type { OldNames } from '../wire'
import { ask } from './ask'
import { of, seatsOf } from './rooms'

/** The names of my seats are kept no longer; everybody at the table is told so. */
export async function deleteNames(code: string) {
  const asked: OldNames = { who: seatsOf(code) }
  await ask<OldNames>(of(code, 'name'), asked, 'DELETE')
}
