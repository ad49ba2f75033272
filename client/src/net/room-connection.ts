// The connection to one room: sends hello, answers pings, and makes sure that no event is missing and no card early.
import { WIRE, type ClientMessage, type Hello, type ServerMessage, type Slap } from '../wire'
import { RevealScheduler } from './reveal-scheduler'
import type { ClientOutdated } from '../room/disconnect'
import { ReconnectingSocket } from './reconnecting-socket'
import { noncesFor, randomHex, nonceAccepted } from './nonces'
import { isRoomRequest, RequestQueue } from './request-queue'

export type SyncState = 'catching_up' | 'caught_up' | 'live'

export interface ConnectionListener {
  /** A message in its order. What was missed in a break comes first, `behind`; the last of it is `level`. */
  onMessage(message: ServerMessage | ClientOutdated, when: SyncState): void
  /** Card `n`, of which you have just heard, is to be seen from `p_ms` on; so the server was told. */
  onCardShown(n: number, p_ms: number): void
  onOnline(yes: boolean): void
}

const LEAVE_TIMEOUT_MS = 60_000 // so long the line is kept for who has left while it was down

const SLAP_SOCKET_RETRY_MS = 10_000 // so long the second socket stays away where the server ends it and names no time

const NO_LISTENER: ConnectionListener = { onMessage: () => {}, onCardShown: () => {}, onOnline: () => {} }

export class RoomConnection {
  private readonly page = randomHex()
  private readonly requests = new RequestQueue((request) => this.socket.send(JSON.stringify(request)))
  private game: string | null = null
  private version = 0
  private targetVersion = 0
  private hasSeat = false
  private readonly url: string
  private readonly socket: ReconnectingSocket
  private slapSocket: ReconnectingSocket | null = null // a way for slaps past whatever holds up the first; all goes well without it
  private readonly reveals: RevealScheduler
  private readonly sendVisibility = () => this.send({ t: 'look', visible: !document.hidden })

  constructor(
    room: string,
    private readonly playerIds: readonly number[],
    private listener: ConnectionListener,
  ) {
    this.url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/rooms/${encodeURIComponent(room)}/socket`
    this.reveals = new RevealScheduler(
      (message) => this.handle(message),
      (n, p_ms, f_ms) => {
        this.send({ t: 'seen', n, p_ms, f_ms })
        this.listener.onCardShown(n, p_ms)
      },
    )
    this.socket = new ReconnectingSocket(this.url, {
      onOpen: () => this.sendHello(),
      onMessage: (data) => this.receive(JSON.parse(data) as ServerMessage),
      onClose: () => this.onDisconnected(),
    })
    document.addEventListener('visibilitychange', this.sendVisibility)
  }

  send(message: ClientMessage): boolean {
    return isRoomRequest(message) ? this.requests.send(message) : this.socket.send(JSON.stringify(message))
  }

  /** By both ways: the first to arrive counts. */
  slap(slap: Slap): boolean {
    const data = JSON.stringify(slap)
    this.slapSocket?.send(data)
    return this.socket.send(data)
  }

  /** Nobody here listens any more. Who has left for good is seen off, though the line may be down just now. */
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
    this.slapSocket?.close()
    this.slapSocket = null
    this.reveals.end()
    document.removeEventListener('visibilitychange', this.sendVisibility)
  }

  private get hasLeft(): boolean {
    return this.listener === NO_LISTENER
  }

  private sendHello() {
    this.send({ t: 'hello', player_ids: [...this.playerIds], game: this.game, version: this.version, page: this.page })
  }

  private receive(message: ServerMessage) {
    if (message.t === 'ping') this.send({ t: 'pong', k: message.k, c_ms: performance.now() }) // first: it measures the way
    else if (this.hasLeft) this.handle(message)
    else this.reveals.receive(message)
  }

  private handle(message: ServerMessage) {
    switch (message.t) {
      case 'welcome':
        if (message.wire !== WIRE) return this.reloadClient(message.wire)
        this.game = message.game
        this.version = this.targetVersion = message.version
        this.onConnected(message.yours.length > 0)
        for (const number of noncesFor(message)) this.send(number)
        break
      case 'back':
        this.targetVersion = message.version
        this.onConnected(this.hasSeat)
        break
      case 'told':
        if (this.hasLeft) return
        if (message.v <= this.version) return
        if (message.v > this.version + 1) return this.socket.reconnect()
        this.version = message.v
        if (message.e.e === 'nonce_given' && this.game) nonceAccepted(this.game, message.e.nonce)
        break
      case 'done':
        this.requests.acknowledge(message.s)
        if (this.hasLeft && !this.requests.isLeaving) this.end()
        return
      case 'unheard':
        this.requests.retryAfter(message.wait_ms)
        break
      case 'refused':
        if (message.what === 'nonce') return // another page of the same seat was faster: its number counts
        break
      case 'bye':
        if (message.wait_s) this.socket.reconnect(message.wait_s * 1000)
        else this.end()
        break
    }
    this.listener.onMessage(message, this.version > this.targetVersion ? 'live' : this.version < this.targetVersion ? 'catching_up' : 'caught_up')
  }

  /** The server speaks in words that this page does not know: the page is loaded again, or that has not helped. */
  private reloadClient(wire: string) {
    this.end()
    if (!reloadFor(wire)) this.listener.onMessage({ t: 'bye', why: 'old', wait_s: 0 }, 'caught_up')
  }

  private onConnected(hasSeat: boolean) {
    this.socket.resetBackoff()
    this.hasSeat = hasSeat
    this.requests.onConnected()
    if (hasSeat && !this.slapSocket && !this.hasLeft) this.slapSocket = this.openSlapSocket()
    if (document.hidden) this.sendVisibility()
    this.listener.onOnline(true)
  }

  private onDisconnected() {
    this.requests.onDisconnected()
    this.reveals.discard()
    this.slapSocket?.close()
    this.slapSocket = null
    this.listener.onOnline(false)
  }

  /** The second socket. When it is lost, or the server wants it to stay away for a while, it is opened again. */
  private openSlapSocket(): ReconnectingSocket {
    const hello: Hello = { t: 'hello', player_ids: [...this.playerIds], only: 'slaps' }
    const socket = new ReconnectingSocket(
      this.url,
      {
        onOpen: () => socket.send(JSON.stringify(hello)),
        onMessage: (data) => {
          const message = JSON.parse(data) as ServerMessage
          if (message.t === 'bye') socket.reconnect(message.wait_s ? message.wait_s * 1000 : SLAP_SOCKET_RETRY_MS)
        },
        onClose: () => {},
      },
      false,
    )
    return socket
  }
}

const RELOADED_KEY = 'ratscrew:reloaded'

/** Loads the page that belongs to the server's types; false if that has been tried in vain. */
function reloadFor(wire: string): boolean {
  if (sessionStorage.getItem(RELOADED_KEY) === wire) return false
  sessionStorage.setItem(RELOADED_KEY, wire)
  location.reload()
  return true
}
