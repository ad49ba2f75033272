// An arena on this page: its standings, my place in it, and the way to my table and back.
import { local } from '../browser/storage'
import { ApiError, errorMessages, fetchJson, postOnce } from '../net/api'
import { forgetSeats, roomApiPath, saveSeats, saveSeatsInTab, savedSeats } from '../net/rooms'
import { navigate } from '../route.svelte'
import { texts } from '../i18n/late'
import { profile } from '../start/profile'
import { arenaOf, noteArena } from './table-of-arena'
import type { ArenaPlayer, ArenaStandings, ArenaState, ArenaSummary, NewArena } from '../wire'
import { at } from '../base'

const ASK_MS = 2000
const STANDINGS_MS = 3000

/** Set for an arena in which this browser plays. */
const key = (arena: string) => `ratscrew:in-arena:${arena}`

export const fetchArenas = () => fetchJson<ArenaSummary[]>('/api/arenas')
/** What an arena is called; one that opens by itself, in the language of this page. */
export const arenaTitle = ({ title, hourly }: ArenaSummary) => (hourly ? texts.arena.hourly : title)
export const openArena = (arena: NewArena) => postOnce<ArenaSummary>('/api/arenas', arena)

export class Arena {
  standings = $state.raw<ArenaStandings | null>(null)
  /** My place; null for a spectator. */
  me = $state.raw<ArenaState | null>(null)
  /** When that came, by this page's clock. */
  askedAt = $state(0)
  missing = $state(false)
  busy = $state(false)
  problems = $state.raw<readonly string[]>([])
  /** When the standings came, by this page's clock. */
  at = $state(0)
  private readonly timers: number[] = []

  constructor(readonly code: string) {
    void this.loadStandings()
    void this.ask()
    this.timers.push(
      window.setInterval(() => void this.loadStandings(), STANDINGS_MS),
      window.setInterval(() => void this.ask(), ASK_MS),
    )
  }

  leave() {
    this.timers.forEach((timer) => clearInterval(timer))
  }

  async join() {
    this.busy = true
    try {
      const { player } = await postOnce<ArenaPlayer>(roomApiPath(this.code, 'arena/players'), profile())
      saveSeatsInTab(this.code, [player])
      local.set(key(this.code), String(player))
      this.problems = []
      await this.ask()
      await this.loadStandings()
    } catch (error) {
      this.problems = errorMessages(error)
    }
    this.busy = false
  }

  /** Goes to my table, or back to it. */
  toTable() {
    if (this.me?.room) navigate(at(`/room/${this.me.room}`))
  }

  private async loadStandings() {
    try {
      this.standings = await fetchJson<ArenaStandings>(roomApiPath(this.code, 'arena'))
      this.at = performance.now()
      this.missing = false
    } catch (error) {
      this.missing = error instanceof ApiError && error.code === 'no_room'
    }
  }

  private async ask() {
    if (local.get(key(this.code)) === null) return
    try {
      const me = await fetchJson<ArenaState>(roomApiPath(this.code, 'arena/ask'), {})
      this.me = me
      this.askedAt = performance.now()
      if (me.room && me.seat !== null) this.goThere(me.room, me.seat)
    } catch (error) {
      if (!(error instanceof ApiError)) return
      if (error.code === 'not_held') this.forget()
      else if (error.code === 'banned') this.problems = errorMessages(error)
    }
  }

  /** To a table that is new for this page; one that I have left is only offered. */
  private goThere(room: string, seat: number) {
    if (arenaOf(room) !== null) return
    noteArena(room, this.code)
    saveSeats(room, [seat])
    navigate(at(`/room/${room}`))
  }

  private forget() {
    local.remove(key(this.code))
    if (savedSeats(this.code).length) forgetSeats(this.code)
    this.me = null
  }
}
