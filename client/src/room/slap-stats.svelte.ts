// Slap statistics of a game on this page: the last races, each player's average, and the current streak. Does not judge.
import type { Late } from '../wire'
import { updateAverages, type Averages } from './reaction-averages'
import type { TableEvent } from './public-view'
import { recordLateSlap, recordRace, type Race, type Withdrawn } from './races'
import { streakAfter, type WinningStreak } from './winning-streak'

export class SlapStats {
  /** The newest one first. */
  races = $state.raw<readonly Race[]>([])
  averages = $state.raw<Averages>({})
  streak: WinningStreak | null = null

  note(event: TableEvent | Withdrawn) {
    this.races = recordRace(this.races, event)
    this.averages = updateAverages(this.averages, event)
    this.streak = streakAfter(this.streak, event)
  }

  late(message: Late) {
    this.races = recordLateSlap(this.races, message)
  }

  forget() {
    this.races = []
    this.averages = {}
    this.streak = null
  }
}
