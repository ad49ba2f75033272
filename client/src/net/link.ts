// A socket that comes back by itself. Nothing in this file knows what is said over it.

const FIRST_MS = 150
const MOST_MS = 600 // while somebody sits and waits; then nobody does
const LATER_MS = 3000
const WAITING = 100 // tries, about a minute
const CONNECT_MS = 5000 // some networks swallow a connection without a word
const SILENT_MS = 4000 // a server that talks is never quiet for so long: it pings every second
const QUIET_MS = 1800 // nor for so long, as a rule

export interface Ends {
  open(): void
  text(text: string): void
  down(): void
}

export class Link {
  private socket: WebSocket | null = null
  private tries = 0
  private again = 0
  private heard = 0
  private closedUntil = 0 // the server has asked us to stay away for so long
  private readonly watch = setInterval(() => this.look(), 1000)
  private readonly wake = () => {
    if (!document.hidden) this.look(true)
  }
  /** There is a network again. A server on this machine was never away. */
  private readonly back = () => {
    if (this.socket?.readyState === WebSocket.OPEN && this.silent() < QUIET_MS) return
    this.tries = 0
    this.drop()
    this.open()
  }

  /** `talks`: the other end says something at all. */
  constructor(
    private readonly url: string,
    private readonly ends: Ends,
    private readonly talks = true,
  ) {
    addEventListener('online', this.back)
    document.addEventListener('visibilitychange', this.wake)
    this.open()
  }

  send(text: string): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false
    this.socket.send(text)
    return true
  }

  /** The conversation goes well: the next break is retried at once again. */
  steady() {
    this.tries = 0
  }

  /** Give this connection up and make another, but not within `awayMs`. */
  drop(awayMs = 0) {
    this.forget()
    this.ends.down()
    clearTimeout(this.again)
    const wait = this.tries > WAITING ? LATER_MS : Math.min(MOST_MS, FIRST_MS * 2 ** this.tries)
    this.tries++
    this.closedUntil = performance.now() + awayMs
    this.again = window.setTimeout(() => this.open(), awayMs + wait * (0.7 + Math.random() * 0.6))
  }

  end() {
    this.forget()
    clearTimeout(this.again)
    clearInterval(this.watch)
    removeEventListener('online', this.back)
    document.removeEventListener('visibilitychange', this.wake)
  }

  private open() {
    if (performance.now() < this.closedUntil) return
    clearTimeout(this.again)
    const socket = (this.socket = new WebSocket(this.url))
    this.heard = performance.now()
    socket.onopen = () => this.ends.open()
    socket.onmessage = (event) => {
      this.heard = performance.now()
      this.ends.text(String(event.data))
    }
    socket.onclose = () => this.drop()
  }

  private forget() {
    const socket = this.socket
    this.socket = null
    if (!socket) return
    socket.onmessage = socket.onclose = null
    socket.onopen = () => socket.close() // one that is still on its way is let come, and goes
    if (socket.readyState !== WebSocket.CONNECTING) socket.close()
  }

  private silent(): number {
    return performance.now() - this.heard
  }

  /** Whether the connection is alive; `now` if waiting for the next try has become pointless. */
  private look(now = false) {
    const silent = this.silent()
    const state = this.socket?.readyState
    if (this.talks && state === WebSocket.OPEN && silent > SILENT_MS) this.drop()
    else if (state === WebSocket.CONNECTING && silent > CONNECT_MS) this.drop()
    if (now && !this.socket) this.open()
  }
}
