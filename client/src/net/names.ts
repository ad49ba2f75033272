// A name that somebody wants to be kept no longer.
import type { DeletedNames, OldNames } from '../wire'
import { ask } from './ask'
import { of, seatsOf } from './rooms'

/** Deletes the names of my seats; whether nothing of them is left in the server’s files. */
export async function deleteNames(code: string): Promise<boolean> {
  const asked: OldNames = { player_ids: seatsOf(code) }
  return (await ask<DeletedNames>(of(code, 'name'), asked, 'DELETE')).done
}
