// This page as an activity of Discord: its instance, which stands for one room, and the greeting that Discord waits for.
import { local } from '../browser/storage'
import { postOnce } from '../net/api'
import { saveSeats } from '../net/rooms'
import type { ActivityRoom, NewSeat } from '../wire'

const query = new URLSearchParams(location.search)
const instance = query.get('instance_id') ?? ''

const key = `ratscrew:activity:${instance}`

/** The room of this instance, if this browser has been there. */
export const knownRoom = () => local.get(key)

/** Tells Discord that the page is here; resolves when Discord has answered. */
export async function greetDiscord() {
  const { DiscordSDK } = await import('@discord/embedded-app-sdk')
  await new DiscordSDK(query.get('application') ?? '', { disableConsoleLogOverride: true }).ready()
}

/** Opens the room of this instance, with a seat for me; without one if the room is there already. */
export async function enterActivity(seat: NewSeat): Promise<ActivityRoom> {
  const entered = await postOnce<ActivityRoom>('/api/activity', { instance, ...seat })
  if (entered.player_id !== null) saveSeats(entered.room, [entered.player_id])
  local.set(key, entered.room)
  return entered
}
