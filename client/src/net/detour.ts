// Which way a page's messages take after a failure: a WebSocket; or, where none gets through while the server answers
// requests, an event stream and requests. Loaded when it is needed.
import { tab } from '../browser/storage'
import { openSocket, type Channel } from '../browser/web-socket'
import { at } from '../base'
import type { EventStream } from './event-stream'

/** The server does not answer at all, or it does, but neither sockets nor event streams get through to it. */
export type Obstacle = 'away' | 'blocked'

const KEY = 'ratscrew:detour' // in this tab a detour was needed
const TRY_AGAIN_MS = 300_000
const FAILURES = 4 // attempts in a row without a connection, after which the page says the reason, as far as it knows

export class Way {
  /** The present connection, or attempt, is no WebSocket. */
  detour = false
  private Stream: typeof EventStream | null = null
  private needed = false
  private suspect = false // the server answers requests: if a WebSocket fails again, it is blocked
  private triedAt = 0 // the last attempt with a WebSocket

  constructor(
    private readonly isOnline: () => boolean,
    private readonly onObstacle: (obstacle: Obstacle) => void,
  ) {
    addEventListener('online', () => (this.needed = false), true) // before the socket reconnects: it may be another network
  }

  open(url: string): Channel {
    this.detour = this.needed && performance.now() - this.triedAt < TRY_AGAIN_MS
    if (this.detour) return new this.Stream!(url)
    this.needed = false
    this.triedAt = performance.now()
    return openSocket(url)
  }

  /** So many attempts in a row have failed: looks for the reason. Where only WebSockets are blocked, goes on without them. */
  async failed(count: number) {
    if (this.suspect && !this.detour) return this.takeDetour()
    if (count > 1 && count % FAILURES) return
    const obstacle = await findObstacle()
    if (this.isOnline()) return
    if (obstacle === 'blocked' && !this.detour && (await this.load())) {
      if (tab.get(KEY)) this.takeDetour()
      else this.suspect = true
    } else if (count >= FAILURES) {
      if (obstacle === 'blocked') this.needed = false
      this.onObstacle(obstacle)
    }
  }

  /** The connection works. */
  arrived() {
    this.suspect = false
    if (!this.detour) tab.remove(KEY)
  }

  private takeDetour() {
    this.suspect = false
    this.needed = true
    this.triedAt = performance.now()
    tab.set(KEY, '1')
  }

  private async load(): Promise<boolean> {
    this.Stream ??= await import('./event-stream').then(
      (module) => module.EventStream,
      () => null,
    )
    return this.Stream !== null
  }
}

/** A server that answers requests and takes no sockets is behind a proxy or a filter that knows only requests. */
async function findObstacle(): Promise<Obstacle> {
  const answer = await fetch(at('/api/health'), { cache: 'no-store' }).catch(() => null)
  return answer?.ok && answer.headers.get('content-type')?.startsWith('application/json') ? 'blocked' : 'away'
}
