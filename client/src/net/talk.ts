// One conversation about one room: greets, answers pings and sees to it that no event is missing.
import { WIRE, type ClientMessage, type ServerMessage } from '../wire'
import { Link } from './link'

export type When = 'behind' | 'level' | 'live'

export interface Hearer {
  /** A message in its order. What was missed in a break comes first, `behind`; the last of it is `level`. */
  hear(message: ServerMessage, when: When): void
  reach(yes: boolean): void
}

export class Talk {
  private game: string | null = null
  private version = 0
  private upTo = 0
  private readonly link: Link

  constructor(
    private readonly room: string,
    private readonly token: string | null,
    private readonly hearer: Hearer,
  ) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    this.link = new Link(`${scheme}://${location.host}/ws`, {
      open: () => this.greet(),
      text: (text) => this.take(JSON.parse(text) as ServerMessage),
      down: () => hearer.reach(false),
    })
  }

  send(message: ClientMessage): boolean {
    return this.link.send(JSON.stringify(message))
  }

  end() {
    this.link.end()
  }

  private greet() {
    this.send({ t: 'hello', room: this.room, token: this.token, game: this.game, version: this.version })
  }

  private take(message: ServerMessage) {
    switch (message.t) {
      case 'ping':
        this.send({ t: 'pong', k: message.k, c_ms: performance.now() }) // first of all: it measures the way
        return
      case 'welcome':
        if (message.wire !== WIRE && reloadFor(message.wire)) return
        this.game = message.game
        this.version = this.upTo = message.version
        this.up()
        break
      case 'back':
        this.upTo = message.version
        this.up()
        break
      case 'told':
        if (message.v <= this.version) return
        if (message.v > this.version + 1) return this.link.drop()
        this.version = message.v
        break
      case 'bye':
        this.end()
        break
    }
    this.hearer.hear(message, this.version > this.upTo ? 'live' : this.version < this.upTo ? 'behind' : 'level')
  }

  private up() {
    this.link.steady()
    this.hearer.reach(true)
  }
}

const RELOADED = 'ratscrew:reloaded'

/** Loads the page that belongs to the server's types; false if that has been tried in vain. */
function reloadFor(wire: string): boolean {
  if (sessionStorage.getItem(RELOADED) === wire) return false
  sessionStorage.setItem(RELOADED, wire)
  location.reload()
  return true
}
