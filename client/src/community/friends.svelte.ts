// My friends, who of them is online, and invitations to tables: asked for again as long as a page shows them.
import { errorMessages, fetchJson } from '../net/api'
import { createRoom, roomApiPath } from '../net/rooms'
import { go } from '../route.svelte'
import { profile } from '../start/profile'
import type { FriendList, Invited, NewFriend, NewInvitations, Recent } from '../wire'

const ASK_MS = 15_000
const NEXT_GAME_MS = 24 * 3_600_000

const path = (kind: 'friends' | 'invitations', id: string) => `/api/${kind}/${encodeURIComponent(id)}`

/** Whether the players of a game can be invited again. */
export const isRecent = ({ end_us }: Recent) => Date.now() - end_us / 1000 < NEXT_GAME_MS

export function addFriend(id: string): Promise<FriendList> {
  const body: NewFriend = { id }
  return fetchJson<FriendList>('/api/friends', body)
}

export class Friends {
  list = $state.raw<FriendList | null>(null)
  problems = $state.raw<readonly string[]>([])
  busy = $state(false)
  private readonly timer = window.setInterval(() => document.visibilityState === 'visible' && void this.load(), ASK_MS)

  constructor() {
    void this.load()
  }

  leave() {
    clearInterval(this.timer)
  }

  add(id: string) {
    return this.change(() => addFriend(id))
  }

  remove(id: string) {
    return this.change(() => fetchJson<FriendList>(path('friends', id), undefined, 'DELETE'))
  }

  dismiss(id: string) {
    return this.change(() => fetchJson<FriendList>(path('invitations', id), undefined, 'DELETE'))
  }

  /** Opens a table and invites these players to it: friends, or all who played a game. */
  async invite(whom: NewInvitations, house: string) {
    this.busy = true
    try {
      const { room } = await createRoom({ ...profile(), bots: 0, house, wait: true })
      await fetchJson<Invited>(roomApiPath(room, 'invitations'), whom)
      go(room)
    } catch (error) {
      this.problems = errorMessages(error)
    }
    this.busy = false
  }

  /** Invites a friend to a table that is open; whether that worked. */
  async inviteTo(room: string, id: string): Promise<boolean> {
    this.busy = true
    const body: NewInvitations = { players: [id] }
    try {
      const { players } = await fetchJson<Invited>(roomApiPath(room, 'invitations'), body)
      return players.includes(id)
    } catch (error) {
      this.problems = errorMessages(error)
      return false
    } finally {
      this.busy = false
    }
  }

  private load() {
    return this.change(() => fetchJson<FriendList>('/api/friends'))
  }

  private async change(what: () => Promise<FriendList>) {
    try {
      this.list = await what()
      this.problems = []
    } catch (error) {
      this.problems = errorMessages(error)
    }
  }
}
