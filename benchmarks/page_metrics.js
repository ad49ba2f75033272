// Measurements inside the page: time to interactive, time between frames, and time from a tap to the message sent.
{
  const seen = { answered: null, taps: [], frames: [] }
  Object.defineProperty(window, 'measured', { value: seen })

  // From the first handler of a pointerdown event to the socket's `send`.
  let entered = null
  addEventListener('pointerdown', () => (entered = performance.now()), { capture: true })
  const send = WebSocket.prototype.send
  WebSocket.prototype.send = function (text) {
    send.call(this, text)
    if (entered !== null && /"t":"(play|slap)"/.test(text)) {
      seen.taps.push(performance.now() - entered)
      entered = null
    }
  }

  // The button is there and responds to a touch.
  const press = (button) => (button.click(), new Promise((done) => setTimeout(() => done(button.disabled))))
  const answers = {
    play: press,
    'join-go': press,
    deck: (button) => (button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse' })), button.classList.contains('pressed')),
  }
  const look = async (name, tell) => {
    const button = document.querySelector(`[data-testid=${name}]`)
    if (button && (await answers[name](button))) tell(performance.now())
    else setTimeout(look, 8, name, tell)
  }
  window.waitFor = (name) => (seen.answered = new Promise((tell) => look(name, tell)))

  window.countFrames = () => {
    let last = performance.now()
    const next = (now) => {
      seen.frames.push(now - last)
      last = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  }

  // Reports a change that a person would see.
  window.shown = () => {
    const { n, top, phase } = document.querySelector('[data-n]')?.dataset ?? {}
    if (n !== undefined) report(JSON.stringify({ n: Number(n), top, phase, turn: document.querySelector('[data-turn]')?.dataset.turn === 'true' }))
  }
  window.follow = () => {
    new MutationObserver(() => shown()).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-n', 'data-turn', 'data-phase'] })
    shown()
  }
}
