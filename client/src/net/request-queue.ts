// This page's requests to a room: numbered, so that each is done once however often it is sent, and repeated until the
// server acknowledges that number. A request that matters only now, or names a seat that another player may have by
// then, is sent once.
import type { ClientMessage } from '../wire'

const DEFAULT_RETRY_MS = 30_000 // later the player has something else in mind

/** How long each request is retried; 0 is never. */
const RETRY_FOR_MS = {
  act: 0,
  react: 0,
  remove: 0,
  mute: 0,
  pause: 0,
  ready: 0,
  start: DEFAULT_RETRY_MS,
  again: DEFAULT_RETRY_MS,
  reopen: DEFAULT_RETRY_MS,
  house: DEFAULT_RETRY_MS,
  list: DEFAULT_RETRY_MS,
  lock: DEFAULT_RETRY_MS,
  readmit: DEFAULT_RETRY_MS,
  nonce: DEFAULT_RETRY_MS,
  bot: DEFAULT_RETRY_MS,
  leave: Infinity,
}

/** Only the newest of these counts: it replaces one that is not acknowledged. */
const LAST_WINS = new Set<string>(['house', 'list', 'lock', 'readmit', 'start', 'again', 'reopen'])

export type RoomRequest = Extract<ClientMessage, { t: keyof typeof RETRY_FOR_MS }>

export const isRoomRequest = (message: ClientMessage): message is RoomRequest => message.t in RETRY_FOR_MS

export class RequestQueue {
  private lastNumber = 0
  private connected = false
  private retryTimer = 0
  private pending: { request: RoomRequest; s: number; until: number }[] = []

  constructor(private readonly transmit: (request: RoomRequest) => boolean) {}

  /** Sends a request; true if it was sent, or will be. */
  send(request: RoomRequest): boolean {
    const s = ++this.lastNumber
    const numbered = { ...request, s }
    const ms = RETRY_FOR_MS[request.t]
    if (LAST_WINS.has(request.t)) this.pending = this.pending.filter((other) => other.request.t !== request.t)
    if (ms) this.pending.push({ request: numbered, s, until: Date.now() + ms })
    return (this.connected && this.transmit(numbered)) || ms > 0
  }

  /** The page is connected, and the server has accepted its hello. */
  onConnected() {
    if (this.connected) return
    this.connected = true
    this.resend()
  }

  onDisconnected() {
    this.connected = false
    clearTimeout(this.retryTimer)
  }

  /** The server ignored a message of this page, and ignores more within `ms`. */
  retryAfter(ms: number) {
    clearTimeout(this.retryTimer)
    this.retryTimer = window.setTimeout(() => this.resend(), ms)
  }

  /** The server has answered request `s`; earlier ones may still be open. */
  acknowledge(s: number) {
    this.pending = this.pending.filter((other) => other.s !== s)
  }

  /** Sends all pending requests again, in order. */
  private resend() {
    if (!this.connected) return
    const now = Date.now()
    this.pending = this.pending.filter(({ until }) => now < until)
    for (const { request } of this.pending) this.transmit(request)
  }

  /** Whether a request to leave is pending. */
  get isLeaving(): boolean {
    return this.pending.some(({ request }) => request.t === 'leave')
  }
}
