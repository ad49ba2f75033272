// What is lost of a page that is shown large: words that are cut off, and controls that are nowhere to be pressed.
(() => {
  const nameOf = (one) => one.dataset.testid ?? one.getAttribute('aria-label') ?? ''
  const called = (one) => `${nameOf(one)} ${one.textContent.trim().slice(0, 40)}`
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const forEars = (one) => getComputedStyle(one).clipPath === 'inset(50%)' // words that only a screen reader says
  const aloud = (one) => !!one.closest('.sr') || forEars(one) || (!!one.parentElement && forEars(one.parentElement))
  const free = (one) => !one.closest('[inert], [aria-hidden=true], .sr, .cut, .tag span, svg') && !forEars(one)
  const clamped = (one) => getComputedStyle(one).webkitLineClamp !== 'none' // after so many lines
  const NAME = /\p{L}{18}/u // none is longer than the longest name
  const clips = (box) => ['hidden', 'clip'].includes(getComputedStyle(box).overflowX) && !box.matches('body, html')
  const scrolls = (box) => ['auto', 'scroll'].includes(getComputedStyle(box).overflowX)
  const tall = (box) => box.scrollHeight > box.clientHeight
  const high = (box) => tall(box) && ['auto', 'scroll'].includes(getComputedStyle(box).overflowY)
  /** Seen by a player at the left or right edge of a shared screen: what scrolls down for them scrolls sideways. */
  const turned = (box) => box.offsetWidth !== box.offsetHeight && Math.abs(box.getBoundingClientRect().width - box.offsetHeight) < 1
  const slides = (box) => !box.matches('main, .veil') && ((scrolls(box) && box.scrollWidth > box.clientWidth) || (high(box) && turned(box)))
  const rolls = (one) => one && (high(one) || rolls(one.parentElement))
  const slid = (one) => one && (slides(one) || slid(one.parentElement)) // what is out of sight is moved into it

  /** What is lost of the words in a text node. */
  function ofWords(node) {
    const one = node.parentElement
    if (!shown(one)) return []
    const found = []
    if (one.matches('.cut') && !forEars(one) && one.scrollHeight > one.clientHeight + 1) found.push('cut off below: ' + called(one))
    if (!free(one)) return found
    if (clamped(one) && NAME.test(node.data)) return found // a name is cut at its end
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, right, top, bottom, width } = range.getBoundingClientRect()
    if (!width) return found
    let bounds = [0, innerWidth]
    for (let box = one; box; box = box.parentElement) if (clips(box)) {
      const around = box.getBoundingClientRect()
      bounds = [Math.max(bounds[0], around.left), Math.min(bounds[1], around.right)]
    }
    if (slid(one)) return found
    if (left < bounds[0] - 1.5 || right > bounds[1] + 1.5) found.push('cut off: ' + called(one))
    const fixed = document.documentElement.scrollHeight <= innerHeight + 1
    const beyond = top < -1.5 || bottom > innerHeight + 1.5
    if (fixed && beyond && !rolls(one)) found.push('beyond the edge: ' + called(one))
    const button = one.closest('button')?.getBoundingClientRect()
    const out = button && (top < button.top - 1.5 || bottom > button.bottom + 1.5)
    if (out) found.push('out of its button: ' + called(one))
    return found
  }

  function ofControls() {
    const found = []
    const panel = [...document.querySelectorAll('[role=dialog], .interruption, header .row')].at(-1) ?? document // what is beneath it waits
    for (const one of panel.querySelectorAll('a[href], button, input, select, textarea, summary')) {
      const body = one.closest('label') ?? one
      if (!shown(body) || one.closest('[inert], .sr') || !body.getBoundingClientRect().width) continue
      const pressed = () => {
        const { left, top, width, height } = body.getBoundingClientRect()
        const on = document.elementFromPoint(left + width / 2, top + height / 2)
        return on && (body.contains(on) || on.contains(body)) ? null : on?.className ?? 'nothing'
      }
      if (pressed() === null) continue // to scroll is most of the work
      body.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
      const over = pressed()
      if (over !== null) found.push(`not to be reached: ${called(one)} (beneath ${over.baseVal ?? over})`)
    }
    return found
  }

  function faults() {
    const walk = document.createTreeWalker(document.querySelector('#app'), NodeFilter.SHOW_TEXT)
    const found = []
    while (walk.nextNode()) if (walk.currentNode.data.trim()) found.push(...ofWords(walk.currentNode))
    found.push(...ofControls())
    for (const box of document.querySelectorAll('main, .veil')) box.scrollLeft = 0 // a control out of sight was moved into it
    return found
  }

  return { faults, ofWords, aloud, shown }
})()
