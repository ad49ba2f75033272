// One conversation about one room: greets, answers pings, sees to it that no event is missing and that no card is early.
import { WIRE, type ClientMessage, type Hello, type ServerMessage, type Slap } from '../wire'
import { Curtain } from './curtain'
import type { Old } from '../room/farewell'
import { Link } from './link'
import { answersTo, newNumber, taken } from './numbers'
import { isWish, Wishes } from './wishes'

export type When = 'behind' | 'level' | 'live'

export interface Hearer {
  /** A message in its order. What was missed in a break comes first, `behind`; the last of it is `level`. */
  hear(message: ServerMessage | Old, when: When): void
  /** Card `n`, of which you have just heard, is to be seen from `p_ms` on; so the server was told. */
  shown(n: number, p_ms: number): void
  reach(yes: boolean): void
}

const LEAVING_MS = 60_000 // so long the line is kept for who has left while it was down

const AWAY_MS = 10_000 // so long the second socket stays away where the server ends it and names no time

const NOBODY: Hearer = { hear: () => {}, shown: () => {}, reach: () => {} }

export class Talk {
  private readonly page = newNumber()
  private readonly wishes = new Wishes((wish) => this.link.send(JSON.stringify(wish)))
  private game: string | null = null
  private version = 0
  private upTo = 0
  private seated = false
  private readonly url: string
  private readonly link: Link
  private second: Link | null = null // a way for slaps past whatever holds up the first; all goes well without it
  private readonly curtain: Curtain
  private readonly look = () => this.send({ t: 'look', visible: !document.hidden })

  constructor(
    room: string,
    private readonly who: readonly number[],
    private hearer: Hearer,
  ) {
    this.url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/rooms/${encodeURIComponent(room)}/socket`
    this.curtain = new Curtain(
      (message) => this.take(message),
      (n, p_ms, f_ms) => {
        this.send({ t: 'seen', n, p_ms, f_ms })
        this.hearer.shown(n, p_ms)
      },
    )
    this.link = new Link(this.url, {
      open: () => this.greet(),
      text: (text) => this.receive(JSON.parse(text) as ServerMessage),
      down: () => this.down(),
    })
    document.addEventListener('visibilitychange', this.look)
  }

  send(message: ClientMessage): boolean {
    return isWish(message) ? this.wishes.say(message) : this.link.send(JSON.stringify(message))
  }

  /** By both ways: the first to arrive counts. */
  slap(slap: Slap): boolean {
    const text = JSON.stringify(slap)
    this.second?.send(text)
    return this.link.send(text)
  }

  /** Nobody here listens any more. Who has left for good is seen off, though the line may be down just now. */
  leave() {
    this.hearer = NOBODY
    this.hush()
    if (this.wishes.leaving) setTimeout(() => this.end(), LEAVING_MS)
    else this.end()
  }

  private end() {
    this.link.end()
    this.hush()
  }

  private hush() {
    this.second?.end()
    this.second = null
    this.curtain.end()
    document.removeEventListener('visibilitychange', this.look)
  }

  private get left(): boolean {
    return this.hearer === NOBODY
  }

  private greet() {
    this.send({ t: 'hello', player_ids: [...this.who], game: this.game, version: this.version, page: this.page })
  }

  private receive(message: ServerMessage) {
    if (message.t === 'ping') this.send({ t: 'pong', k: message.k, c_ms: performance.now() }) // first: it measures the way
    else if (this.left) this.take(message)
    else this.curtain.take(message)
  }

  private take(message: ServerMessage) {
    switch (message.t) {
      case 'welcome':
        if (message.wire !== WIRE) return this.renew(message.wire)
        this.game = message.game
        this.version = this.upTo = message.version
        this.up(message.yours.length > 0)
        for (const number of answersTo(message)) this.send(number)
        break
      case 'back':
        this.upTo = message.version
        this.up(this.seated)
        break
      case 'told':
        if (this.left) return
        if (message.v <= this.version) return
        if (message.v > this.version + 1) return this.link.drop()
        this.version = message.v
        if (message.e.e === 'nonce_given' && this.game) taken(this.game, message.e.nonce)
        break
      case 'done':
        this.wishes.answered(message.s)
        if (this.left && !this.wishes.leaving) this.end()
        return
      case 'unheard':
        this.wishes.unheard(message.wait_ms)
        break
      case 'refused':
        if (message.what === 'nonce') return // another page of the same seat was faster: its number counts
        break
      case 'bye':
        if (message.wait_s) this.link.drop(message.wait_s * 1000)
        else this.end()
        break
    }
    this.hearer.hear(message, this.version > this.upTo ? 'live' : this.version < this.upTo ? 'behind' : 'level')
  }

  /** The server speaks in words that this page does not know: the page is loaded again, or that has not helped. */
  private renew(wire: string) {
    this.end()
    if (!reloadFor(wire)) this.hearer.hear({ t: 'bye', why: 'old', wait_s: 0 }, 'level')
  }

  private up(seated: boolean) {
    this.link.steady()
    this.seated = seated
    this.wishes.reach()
    if (seated && !this.second && !this.left) this.second = this.another()
    if (document.hidden) this.look()
    this.hearer.reach(true)
  }

  private down() {
    this.wishes.lose()
    this.curtain.drop()
    this.second?.end()
    this.second = null
    this.hearer.reach(false)
  }

  /** The second socket. When it is lost, or the server wants it to stay away for a while, it is opened again. */
  private another(): Link {
    const hello: Hello = { t: 'hello', player_ids: [...this.who], only: 'slaps' }
    const link = new Link(
      this.url,
      {
        open: () => link.send(JSON.stringify(hello)),
        text: (text) => {
          const message = JSON.parse(text) as ServerMessage
          if (message.t === 'bye') link.drop(message.wait_s ? message.wait_s * 1000 : AWAY_MS)
        },
        down: () => {},
      },
      false,
    )
    return link
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
