// The connection to one room: sends hello, answers pings, and makes sure that no event is missing and no card early.
import { WIRE, type ClientMessage, type Hello, type ServerMessage, type SlapMessage } from '../wire'
import { RevealScheduler } from './reveal-scheduler'
import type { ClientOutdated } from './disconnect'
import { ReconnectingSocket } from './reconnecting-socket'
import type { Obstacle, Way } from './detour'
import { randomHex } from '../browser/random'
import { tab } from '../browser/storage'
import { openSocket } from '../browser/web-socket'
import { noncesFor, nonceAccepted } from './nonces'
import { isRoomRequest, RequestQueue } from './request-queue'
import { RoomRoute } from './room-route'
import { seatProofs } from './seat-proofs'
import { BASE } from '../base'

export type SyncState = 'catching_up' | 'caught_up' | 'live'

export interface ConnectionListener {
  /** A message, in order. After a reconnect the missed ones come first, `catching_up`; the last of them is `caught_up`. */
  onMessage(message: ServerMessage | ClientOutdated, when: SyncState): void
  /** Card `n` of the last message is visible from `p_ms` on. */
  onCardShown(n: number, p_ms: number): void
  onOnline(yes: boolean): void
  /** Whether the connection that is there is no WebSocket. */
  onDetour?(yes: boolean): void
  /** Why there is no connection, as far as this page can tell. */
  onObstacle?(obstacle: Obstacle): void
}

const BEAT_AFTER_MS = 10 // a beat follows each slap: a lost packet with the slap in it is noticed when another one follows
const SAME_TOUCH_MS = 60 // fingers that come down together reach the page within this time: then another beat says so

const LATE_MS = 1000 // a ping that is so much later than announced does not come any more

const LEAVE_TIMEOUT_MS = 60_000 // a player who left while offline: how long the connection is kept to tell the server

// After a lost connection the second socket waits from one to three times this long: when a server restarts, all pages
// come back at once, and their tables come first.
const SLAP_SOCKET_DELAY_MS = 5000

const SLAP_SOCKET_RETRY_MS = 10_000 // the second socket's retry delay, if the server closes it and names none

const NO_LISTENER: ConnectionListener = { onMessage: () => {}, onCardShown: () => {}, onOnline: () => {} }

export class RoomConnection {
  private readonly page = randomHex()
  private readonly requests = new RequestQueue((request) => this.socket.send(JSON.stringify(request)))
  private game: string | null = null
  private version = 0
  private targetVersion = 0
  private epoch = 0 // how often the room has changed its server, as far as this page knows
  private hasSeat = false
  private shown: { n: number; p_ms: number; f_ms: number } | null = null // the newest visible card, since when, and how long frames last
  private readonly path: string
  private readonly route: RoomRoute
  private nodes: readonly string[] = []
  private readonly socket: ReconnectingSocket
  private slapSocketTimer = 0
  private wasConnected = false
  private way: Way | null = null // loaded after the first failure
  private online = false
  private slapSocket: ReconnectingSocket | null = null // a second route for slaps, past packet loss on the first; optional
  private readonly reveals: RevealScheduler
  private readonly sendVisibility = () => this.send({ t: 'visibility', visible: !document.hidden })

  constructor(
    room: string,
    private readonly playerIds: readonly number[],
    private listener: ConnectionListener,
  ) {
    this.path = `/api/rooms/${encodeURIComponent(room)}/socket`
    this.route = this.newRoute()
    this.reveals = new RevealScheduler(
      (message) => this.handle(message),
      (n, p_ms, f_ms) => {
        this.shown = { n, p_ms, f_ms }
        this.listener.onCardShown(n, p_ms)
      },
    )
    this.socket = new ReconnectingSocket(() => this.route.next(), {
      onOpen: () => this.sendHello(),
      onMessage: (data) => messagesIn(data).forEach((message) => this.receive(message)),
      onClose: () => this.onDisconnected(),
      onFailures: (count) => void this.findWay(count),
      open: (url) => this.way?.open(url) ?? openSocket(url),
    })
    document.addEventListener('visibilitychange', this.sendVisibility)
    document.addEventListener('securitypolicyviolation', reloadForServer)
  }

  /** Looks for another way after failures. Where that cannot even be loaded, the server is away. */
  private async findWay(failures: number) {
    const tell = (obstacle: Obstacle) => this.online || this.listener.onObstacle?.(obstacle)
    const loaded =
      this.way ?? (await import('./detour').then(({ Way }) => new Way(() => this.online, tell)).catch(() => null))
    this.way ??= loaded
    if (this.way) await this.way.failed(failures)
    else tell('away')
  }

  private newRoute(): RoomRoute {
    return new RoomRoute(`${location.protocol}//${location.host}${BASE}`, this.path)
  }

  send(message: ClientMessage): boolean {
    return isRoomRequest(message) ? this.requests.send(message) : this.socket.send(JSON.stringify(message))
  }

  /** Sends a slap on both sockets: the first to arrive counts. */
  slap(slap: SlapMessage): boolean {
    const data = JSON.stringify(slap)
    this.slapSocket?.send(data)
    const sent = this.socket.send(data)
    for (const after_ms of this.playerIds.length > 1 ? [BEAT_AFTER_MS, SAME_TOUCH_MS] : [BEAT_AFTER_MS])
      setTimeout(() => this.send({ t: 'beat', c_ms: performance.now() }), after_ms)
    return sent
  }

  /** Stops listening. If a player has left for good, the connection stays until the server has acknowledged that. */
  leave() {
    this.listener = NO_LISTENER
    this.closeExtras()
    if (this.requests.isLeaving) setTimeout(() => this.end(), LEAVE_TIMEOUT_MS)
    else this.end()
  }

  private end() {
    this.socket.close()
    this.closeExtras()
  }

  private closeExtras() {
    this.closeSlapSocket()
    this.reveals.end()
    document.removeEventListener('visibilitychange', this.sendVisibility)
    document.removeEventListener('securitypolicyviolation', reloadForServer)
  }

  private get hasLeft(): boolean {
    return this.listener === NO_LISTENER
  }

  private sendHello() {
    this.send({
      t: 'hello',
      player_ids: [...this.playerIds],
      game: this.game,
      version: this.version,
      page: this.page,
      wire: WIRE,
      ticket: this.route.takeTicket(),
      proofs: seatProofs || undefined,
    })
  }

  private receive(message: ServerMessage) {
    if (message.t === 'ping') {
      this.send({ t: 'pong', k: message.k, c_ms: performance.now(), ...this.shown }) // first: it measures the round trip
      this.socket.expectWithin(message.next_ms + LATE_MS)
    } else if (message.t === 'waiting') return
    else if (this.hasLeft) this.handle(message)
    else this.reveals.receive(message)
  }

  private handle(message: ServerMessage) {
    switch (message.t) {
      case 'moved':
        this.route.moveTo(message.to, message.ticket)
        return message.to ? this.socket.follow() : this.socket.reconnect()
      case 'nodes':
        this.nodes = message.urls
        return this.route.setNodes(message.urls)
      case 'welcome':
        if (message.wire !== WIRE) return this.reloadClient(message.wire)
        if (this.isStale(message.epoch)) return this.socket.reconnect()
        this.game = message.game
        this.shown = null // another game counts its cards from 1 again
        this.version = this.targetVersion = message.version
        this.onConnected(message.yours.length > 0)
        for (const number of noncesFor(message)) this.send(number)
        break
      case 'reconnected':
        if (this.isStale(message.epoch)) return this.socket.reconnect()
        this.targetVersion = message.version
        this.onConnected(this.hasSeat)
        break
      case 'event':
        if (this.hasLeft) return
        if (message.v <= this.version) return
        if (message.v > this.version + 1) return this.socket.reconnect()
        this.version = message.v
        if (message.e.e === 'withdrawn') this.shown = null // its number comes again
        if (message.e.e === 'nonce_given' && this.game) nonceAccepted(this.game, message.e.nonce)
        break
      case 'done':
        this.requests.acknowledge(message.s)
        if (this.hasLeft && !this.requests.isLeaving) this.end()
        return
      case 'rate_limited':
        this.requests.retryAfter(message.wait_ms)
        break
      case 'refused':
        if (message.request === 'nonce') return // another page of the same seat was faster: its nonce counts
        break
      case 'bye':
        if (message.wait_s) this.socket.reconnect(message.wait_s * 1000)
        else this.end()
        break
    }
    this.listener.onMessage(
      message,
      this.version > this.targetVersion ? 'live' : this.version < this.targetVersion ? 'catching_up' : 'caught_up',
    )
  }

  /** Whether a server has lost the room to another one without knowing it yet: its messages are ignored. */
  private isStale(epoch: number): boolean {
    if (epoch < this.epoch) return true
    this.epoch = epoch
    return false
  }

  /** The server's message types differ from this page's: reloads, or gives up if that has not helped. */
  private reloadClient(wire: string) {
    this.end()
    if (!reloadFor(wire)) this.listener.onMessage({ t: 'bye', reason: 'old', wait_s: 0 }, 'caught_up')
  }

  private onConnected(hasSeat: boolean) {
    this.socket.resetBackoff()
    this.route.arrived()
    this.hasSeat = hasSeat
    this.requests.onConnected()
    this.way?.arrived()
    if (hasSeat && !this.slapSocket && !this.hasLeft && !this.way?.detour) this.openSlapSocketSoon()
    this.wasConnected = true
    if (document.hidden) this.sendVisibility()
    this.online = true
    this.listener.onOnline(true)
    this.listener.onDetour?.(this.way?.detour ?? false)
  }

  private onDisconnected() {
    this.requests.onDisconnected()
    this.reveals.discard()
    this.closeSlapSocket()
    this.online = false
    this.listener.onOnline(false)
  }

  private openSlapSocketSoon() {
    const open = () => (this.slapSocket = this.openSlapSocket())
    if (!this.wasConnected) open()
    else this.slapSocketTimer ||= window.setTimeout(open, SLAP_SOCKET_DELAY_MS * (1 + Math.random() * 2))
  }

  private closeSlapSocket() {
    clearTimeout(this.slapSocketTimer)
    this.slapSocketTimer = 0
    this.slapSocket?.close()
    this.slapSocket = null
  }

  /** Opens the second socket. It reconnects when it is lost, or after the delay that the server names. */
  private openSlapSocket(): ReconnectingSocket {
    const route = this.newRoute()
    route.setNodes(this.nodes)
    const hello = (): Hello => ({
      t: 'hello',
      player_ids: [...this.playerIds],
      only: 'slaps',
      ticket: route.takeTicket(),
      proofs: seatProofs || undefined,
    })
    const socket = new ReconnectingSocket(
      () => route.next(),
      {
        onOpen: () => socket.send(JSON.stringify(hello())),
        onMessage: (data) => {
          for (const message of messagesIn(data)) {
            if (message.t === 'bye') socket.reconnect(message.wait_s ? message.wait_s * 1000 : SLAP_SOCKET_RETRY_MS)
            if (message.t === 'moved' && message.to) {
              route.moveTo(message.to, message.ticket)
              socket.follow()
            } else if (message.t === 'moved') socket.reconnect()
          }
        },
        onClose: () => {},
      },
      false,
    )
    return socket
  }
}

/** A frame has one message, or an array of those that left the server at one moment. */
function messagesIn(data: string): ServerMessage[] {
  const frame = JSON.parse(data) as ServerMessage | ServerMessage[]
  return Array.isArray(frame) ? frame : [frame]
}

/** The page was loaded before a server joined, so it may not connect there: a new page may. */
function reloadForServer(violation: SecurityPolicyViolationEvent) {
  if (violation.effectiveDirective === 'connect-src') reloadFor(violation.blockedURI)
}

const RELOADED_KEY = 'ratscrew:reloaded'

/** Reloads to get the page with the server's types; false if that was tried in vain. */
function reloadFor(wire: string): boolean {
  if (tab.get(RELOADED_KEY) === wire) return false
  tab.set(RELOADED_KEY, wire)
  if (!tab.works()) return false // it would reload for ever
  location.reload()
  return true
}
