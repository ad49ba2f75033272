// A WebSocket, or what stands for one, that reconnects. Does not depend on the messages.
import { CONNECTING, OPEN, openSocket, sendBy, type Channel } from '../browser/web-socket'

const FIRST_RETRY_MS = 150
const MAX_RETRY_MS = 600 // while a player is probably waiting
const SLOW_RETRY_MS = 3000
const FAST_RETRIES = 100 // tries, about a minute
const CONNECT_MS = 5000 // some networks drop a connection attempt silently
const FOLLOW_CONNECT_MS = 1500 // the server that we were sent to may have stopped a moment ago
const FIRST_WITHIN_MS = 4000 // the first message comes within this time, or the server is gone
const QUIET_MS = 1800 // a silence that is already unusual
const CHECK_MS = 1000 // the least time between two checks of a silent connection

export interface SocketHandlers {
  onOpen(): void
  onMessage(text: string): void
  onClose(): void
  /** The connection has failed so often in a row without a message. */
  onFailures?(count: number): void
  /** Opens a connection; without it that is a WebSocket. */
  open?(url: string): Channel
}

export class ReconnectingSocket {
  private socket: Channel | null = null
  private tries = 0
  private failures = 0 // attempts in a row that brought no message
  private retryTimer = 0
  private lastMessageAt = 0
  private closedUntil = 0 // the server has asked us not to reconnect before
  private nextWithinMs = FIRST_WITHIN_MS
  private connectWithinMs = CONNECT_MS
  private followed = false
  private checkTimer = 0
  private checkAt = 0
  private readonly onVisible = () => {
    if (!document.hidden) this.check(true)
  }
  /** The network is back. A socket that still gets messages (a server on this machine) is kept. */
  private readonly onOnline = () => {
    if (this.socket?.readyState === OPEN && this.silentMs() < QUIET_MS) return
    this.tries = 0
    this.reconnect()
    this.open()
  }

  /** `url` is asked before each attempt. `expectsMessages`: the server sends on this socket, so silence means that it is dead. */
  constructor(
    private readonly url: () => string,
    private readonly handlers: SocketHandlers,
    private readonly expectsMessages = true,
  ) {
    addEventListener('online', this.onOnline)
    document.addEventListener('visibilitychange', this.onVisible)
    this.open()
  }

  send(text: string): boolean {
    return sendBy(this.socket, text)
  }

  /** The next message comes within this time, or the connection is dead. */
  expectWithin(ms: number) {
    this.nextWithinMs = ms
    if (performance.now() + ms < this.checkAt) this.scheduleCheck()
  }

  /** The connection works: the next reconnect starts with the shortest pause. */
  resetBackoff() {
    this.tries = 0
    this.followed = false
  }

  /** Connects to another server at once; if that one sends us on, after a pause. */
  follow() {
    if (this.followed) return this.reconnect()
    this.followed = true
    this.discardSocket()
    this.handlers.onClose()
    this.connectWithinMs = FOLLOW_CONNECT_MS
    this.open()
  }

  /** Closes this connection and opens another, but not within `minDelayMs`. */
  reconnect(minDelayMs = 0) {
    this.discardSocket()
    this.handlers.onClose()
    if (this.failures) this.handlers.onFailures?.(this.failures)
    clearTimeout(this.retryTimer)
    this.connectWithinMs = CONNECT_MS
    const wait = this.tries > FAST_RETRIES ? SLOW_RETRY_MS : Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.tries)
    this.tries++
    this.closedUntil = Math.max(this.closedUntil, performance.now() + minDelayMs)
    this.retryTimer = window.setTimeout(
      () => this.open(),
      this.closedUntil - performance.now() + wait * (0.7 + Math.random() * 0.6),
    )
  }

  close() {
    this.discardSocket()
    clearTimeout(this.retryTimer)
    removeEventListener('online', this.onOnline)
    document.removeEventListener('visibilitychange', this.onVisible)
  }

  private open() {
    if (performance.now() < this.closedUntil) return
    clearTimeout(this.retryTimer)
    const socket = (this.socket = (this.handlers.open ?? openSocket)(this.url()))
    this.lastMessageAt = performance.now()
    this.nextWithinMs = FIRST_WITHIN_MS
    this.failures++
    socket.onopen = () => {
      this.lastMessageAt = performance.now() // the wait for a busy server to accept the connection is no silence
      this.handlers.onOpen()
    }
    socket.onmessage = (event) => {
      this.failures = 0
      this.lastMessageAt = performance.now()
      this.handlers.onMessage(String(event.data))
    }
    socket.onclose = () => this.reconnect()
    this.scheduleCheck()
  }

  private discardSocket() {
    const socket = this.socket
    this.socket = null
    clearTimeout(this.checkTimer)
    if (!socket) return
    socket.onmessage = socket.onclose = null
    socket.onopen = () => socket.close() // a socket that is still connecting is closed once it is open
    if (socket.readyState !== CONNECTING) socket.close()
  }

  private silentMs(): number {
    return performance.now() - this.lastMessageAt
  }

  /** How long the socket may stay silent from its last message on. */
  private get patienceMs(): number {
    if (this.socket?.readyState === CONNECTING) return this.connectWithinMs
    return this.expectsMessages ? this.nextWithinMs : Infinity
  }

  /** Checks the connection when its silence would be too long, and not once a second. */
  private scheduleCheck() {
    clearTimeout(this.checkTimer)
    const left = Math.max(CHECK_MS, this.patienceMs - this.silentMs())
    this.checkAt = performance.now() + left
    if (left < Infinity) this.checkTimer = window.setTimeout(() => this.check(), left)
  }

  /** Reconnects if the connection is dead; with `now`, without waiting for the next retry. */
  private check(now = false) {
    if (this.socket && this.silentMs() >= this.patienceMs) return this.reconnect()
    if (now && !this.socket) this.open()
    else if (this.socket) this.scheduleCheck()
  }
}
