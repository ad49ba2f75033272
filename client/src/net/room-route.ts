// Where the next attempt to reach a room goes: to the page's own server, to the one that has the room, or to another.
// Does not depend on sockets.

const OWN_TRIES = 2 // so often the page's own server is tried in vain before the others are asked too

export class RoomRoute {
  private target: string | null = null
  private ticket: string | null = null
  private nodes: readonly string[] = []
  private failures = 0

  /** `own` is the URL of the page's server, `path` that of the room's socket on each server. */
  constructor(
    private readonly own: string,
    private readonly path: string,
  ) {}

  /** The URL of the next attempt. The server that has the room is tried once, then asked for again. */
  next(): string {
    const base = this.target ?? this.anyServer()
    this.target = null
    return this.reachable(base).replace(/^http/, 'ws') + this.path
  }

  /** Another server has the room; `ticket` proves the seats there. */
  moveTo(server: string | null, ticket: string | null) {
    this.target = server
    this.ticket = ticket
  }

  /** The ticket for the server that is tried now. It is valid once. */
  takeTicket(): string | undefined {
    const ticket = this.ticket ?? undefined
    this.ticket = null
    return ticket
  }

  /** The servers that can have the room, as long as this page is open. */
  setNodes(urls: readonly string[]) {
    this.nodes = urls
  }

  /** The room was reached: the next time the page's own server is asked first. */
  arrived() {
    this.failures = 0
  }

  /** In a frame of Discord its proxy is the only way: the servers differ there by the paths of their addresses. */
  private reachable(url: string): string {
    return this.own.endsWith('.discordsays.com') ? this.own + new URL(url).pathname.replace(/\/$/, '') : url
  }

  private anyServer(): string {
    const others = this.nodes.filter((url) => url !== this.own)
    const turn = Math.max(0, this.failures++ - OWN_TRIES) % (others.length + 1) // 0 is the own one's
    return turn ? others[turn - 1]! : this.own
  }
}
