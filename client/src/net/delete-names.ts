// Asks the server to delete a player's name.
import type { DeletedNames, OldNames } from '../wire'
import { fetchJson } from './api'
import { roomApiPath, savedSeats } from './rooms'

/** Deletes the names of my seats; true if nothing of them is left in the server’s files. */
export async function deleteNames(code: string): Promise<boolean> {
  const body: OldNames = { player_ids: savedSeats(code) }
  return (await fetchJson<DeletedNames>(roomApiPath(code, 'name'), body, 'DELETE')).done
}
