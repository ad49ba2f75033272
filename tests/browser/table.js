// A table as a page shows it, in any state: messages are put into its connection as if the server had sent them.
(() => {
  const Real = WebSocket
  window.table = {
    welcome: null,
    version: 0,
    socket: null,
    /** From now on the server is not heard, and what is shown for a while stays. */
    still: false,
    /** What the page was told since then: a new connection, after a silence on a busy machine, begins with it. */
    told: [],

    send(...messages) {
      for (const message of messages) if (message.t === 'event') message.v = ++table.version
      table.told.push(...messages)
      table.tell(messages)
    },

    tell(messages) {
      for (const message of messages)
        table.socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
    },

    /** Shows the table after a change of all that is known of it; nothing is known of the connections. */
    show(change) {
      table.still = true
      table.told = []
      table.welcome = structuredClone(table.welcome)
      table.welcome.version = table.version
      change(table.welcome, table.welcome.view)
      table.send(table.welcome, { t: 'link_stats', links: table.welcome.seats.map(() => null) })
    },

    event: (e) => table.send({ t: 'event', e }),
  }
  window.WebSocket = class extends Real {
    constructor(...given) {
      super(...given)
      this.addEventListener('message', (event) => {
        if (!event.isTrusted) return
        for (const message of [JSON.parse(event.data)].flat()) {
          if (message.t === 'welcome') table.socket = this
          if (table.told.length) continue
          if (message.t === 'welcome') Object.assign(table, { welcome: message, version: message.version })
          if (message.t === 'event') table.version = message.v
          if (message.view) table.welcome.view = message.view
        }
        if (!table.still) return
        event.stopImmediatePropagation()
        for (const message of [JSON.parse(event.data)].flat()) {
          if (message.t === 'ping') table.tell([message])
          if (message.t === 'welcome') table.tell(table.told.length ? table.told : [message])
        }
      })
    }
  }
  const later = setTimeout
  const LONG_MS = 1000
  window.setTimeout = (act, ms = 0, ...given) => later(() => table.still && ms >= LONG_MS ? undefined : act(...given), ms)
})()
