// Stands for a WebSocket where none gets through: the server's messages are events of a response that stays open, and
// this page's are requests. These are numbered: the server handles them in order, and a repeated one once.
// Loaded when it is needed.
import { CLOSED, CONNECTING, OPEN } from '../browser/web-socket'
import { proofHeader } from './seat-proofs'

const AT_ONCE = 3 // a browser opens six connections to a server, and other tabs need some too
const BATCH = 1200 // characters of messages in one request: the server takes 4096 bytes
const TRIES = 3
const RETRY_MS = 250

export class EventStream {
  readyState: number = CONNECTING
  onopen: ((event: Event) => unknown) | null = null
  onmessage: ((event: MessageEvent) => unknown) | null = null
  onclose: ((event: CloseEvent) => unknown) | null = null
  private readonly url: string
  private readonly stopped = new AbortController()
  private id = ''
  private begun = false
  private number = 0
  private sending = 0
  private waiting: string[] = []

  /** `url` is that of the WebSocket. */
  constructor(url: string) {
    this.url = url.replace(/^ws/, 'http').replace(/socket$/, 'stream')
    queueMicrotask(() => {
      if (this.readyState !== CONNECTING) return
      this.readyState = OPEN
      this.onopen?.(new Event('open'))
    })
  }

  /** The first message opens the stream. */
  send(text: string) {
    if (!this.begun) {
      this.begun = true
      void this.listen(text)
      return
    }
    this.waiting.push(text)
    this.flush()
  }

  close() {
    this.readyState = CLOSED
    this.stopped.abort()
  }

  private lose() {
    if (this.readyState === CLOSED) return
    this.close()
    this.onclose?.(new CloseEvent('close'))
  }

  private post(path: string, body: string): Promise<Response> {
    const headers = this.url.startsWith(location.origin) ? proofHeader() : {} // another server's page has a ticket
    return fetch(this.url + path, { method: 'POST', headers, body, cache: 'no-store', signal: this.stopped.signal })
  }

  private async listen(hello: string) {
    try {
      const response = await this.post('', hello)
      const reader = response.ok && response.body?.getReader()
      if (!reader) return this.lose()
      const decoder = new TextDecoder()
      let unread = ''
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return this.lose()
        const events = (unread + decoder.decode(value, { stream: true })).split('\n\n')
        unread = events.pop()!
        for (const event of events) this.receive(event)
      }
    } catch {
      this.lose()
    }
  }

  private receive(event: string) {
    const [name, value] = [event.slice(0, event.indexOf(':')), event.slice(event.indexOf(':') + 2)]
    if (name === 'id') {
      this.id = value
      this.flush()
    } else if (name === 'data' && this.readyState === OPEN)
      this.onmessage?.(new MessageEvent('message', { data: value }))
  }

  /** Sends what waits: at once, unless so many requests are under way. */
  private flush() {
    while (this.id && this.waiting.length && this.sending < AT_ONCE) {
      let batch = this.waiting.shift()!
      while (this.waiting.length && batch.length + this.waiting[0]!.length < BATCH)
        batch += `\n${this.waiting.shift()!}`
      void this.deliver(batch, ++this.number)
    }
  }

  private async deliver(batch: string, number: number) {
    this.sending++
    for (let tries = 1; this.readyState === OPEN; tries++) {
      const status = await this.post(`/${this.id}/${number}`, batch).then(
        (response) => response.status,
        () => 0,
      )
      if (status === 204) {
        this.sending--
        return this.flush()
      }
      if (tries === TRIES || (status >= 400 && status < 500)) return this.lose()
      await new Promise((go) => setTimeout(go, RETRY_MS * tries))
    }
  }
}
