// What this page remembers of the slaps of a game: the last races, and how quick everybody is. Nothing here judges.
import type { Late } from '../wire'
import { updateAverages, type Averages } from './reaction-averages'
import type { TableEvent } from './public-view'
import { recordLateSlap, recordRace, type Race, type Withdrawn } from './races'

export class SlapStats {
  /** The newest one first. */
  races = $state.raw<readonly Race[]>([])
  averages = $state.raw<Averages>({})

  note(event: TableEvent | Withdrawn) {
    this.races = recordRace(this.races, event)
    this.averages = updateAverages(this.averages, event)
  }

  late(message: Late) {
    this.races = recordLateSlap(this.races, message)
  }

  forget() {
    this.races = []
    this.averages = {}
  }
}
