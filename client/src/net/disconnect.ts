// Why the connection to a table has ended: the server says so, or the page is too old to understand it.
import type { Bye } from '../wire'

export interface ClientOutdated {
  t: 'bye'
  reason: 'old'
  wait_s: 0
}

export type DisconnectReason = (Bye | ClientOutdated)['reason']
