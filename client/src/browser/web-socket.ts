// WebSockets. Where the browser has none, or refuses them, an attempt fails like one that is blocked on its way.

/** What a connection uses of a WebSocket: an event stream has it too. */
export interface Channel {
  readonly readyState: number
  onopen: ((event: Event) => unknown) | null
  onmessage: ((event: MessageEvent) => unknown) | null
  onclose: ((event: CloseEvent) => unknown) | null
  send(text: string): void
  close(): void
}

/** The values of `readyState`. */
export const CONNECTING = 0
export const OPEN = 1
export const CLOSED = 3

export function openSocket(url: string): Channel {
  try {
    return new WebSocket(url)
  } catch {
    const refused = { readyState: CLOSED, send() {}, close() {} } as unknown as Channel
    setTimeout(() => (refused.onclose as (() => unknown) | undefined)?.())
    return refused
  }
}

/** Whether a message was given to the connection: a socket may refuse it. */
export function sendBy(channel: Channel | null, text: string): boolean {
  if (channel?.readyState !== OPEN) return false
  try {
    channel.send(text)
    return true
  } catch {
    return false
  }
}
