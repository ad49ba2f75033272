// What this page remembers of the slaps of a game: the last races, and how quick everybody is. Nothing here judges.
import type { Late } from '../wire'
import { averaged, type Averages } from './averages'
import type { TableEvent } from './follow'
import { lateFor, noted, type Race, type Withdrawn } from './races'

export class Score {
  /** The newest one first. */
  races = $state.raw<readonly Race[]>([])
  averages = $state.raw<Averages>({})

  note(event: TableEvent | Withdrawn) {
    this.races = noted(this.races, event)
    this.averages = averaged(this.averages, event)
  }

  late(message: Late) {
    this.races = lateFor(this.races, message)
  }

  forget() {
    this.races = []
    this.averages = {}
  }
}
