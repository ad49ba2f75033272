// What is wrong with a page in this window: its least card, controls that cannot be reached or are covered, and pages that
// scroll sideways. `wanted` are selectors of what must be in view together, without scrolling.
({ least, wanted }) => {
  const found = []
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest('[inert], .sr')
  const called = (one) => one.dataset.testid ?? one.getAttribute('aria-label') ?? one.className ?? one.tagName
  const round = (box) => [box.left, box.top, box.right, box.bottom].map(Math.round).join(' ')
  const wide = innerWidth, high = innerHeight

  for (const stage of document.querySelectorAll('.stage')) {
    const card = parseFloat(getComputedStyle(stage.querySelector('.thick')).width)
    if (card < least) found.push(`the pile's cards are ${card} px wide`)
    const pile = stage.querySelector('.zone') ?? stage.querySelector('.thick')
    const box = pile.getBoundingClientRect()
    if (Math.min(box.width, box.height) < least) found.push(`the pile is ${Math.round(box.width)}x${Math.round(box.height)}`)
  }
  for (const what of wanted) for (const one of document.querySelectorAll(what)) {
    const box = one.getBoundingClientRect()
    const out = box.left < -1 || box.top < -1 || box.right > wide + 1 || box.bottom > high + 1
    if (out) found.push(`not in view: ${what} ${round(box)}`)
    if (Math.min(box.width, box.height) < 44) found.push(`too small: ${what} ${Math.round(box.width)}x${Math.round(box.height)}`)
  }
  const boxes = wanted.flatMap((what) => [...document.querySelectorAll(what)].map((one) => [what, one.getBoundingClientRect()]))
  for (const [i, [a, one]] of boxes.entries()) for (const [b, other] of boxes.slice(i + 1)) {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
    if (across > 1 && down > 1) found.push(`${a} and ${b} overlap by ${Math.round(across)}x${Math.round(down)}`)
  }
  for (const page of [document.scrollingElement, ...document.querySelectorAll('main')]) {
    const hides = page.scrollWidth > page.clientWidth + 1
    if (hides && !/clip|hidden/.test(getComputedStyle(page).overflowX)) found.push(`${page.tagName} scrolls sideways: ${page.scrollWidth} of ${page.clientWidth}`)
  }
  const scrolled = [...document.querySelectorAll('main, .scrolls, [data-testid=opponents]')].map((one) => [one, one.scrollLeft, one.scrollTop])
  for (const one of document.querySelectorAll('button, a[href], input, select, textarea')) {
    if (!shown(one)) continue
    const target = one.matches('input') ? (one.closest('label') ?? one) : one
    target.scrollIntoView({ block: 'center', inline: 'nearest' })
    const box = target.getClientRects()[0]
    if (!box?.width) continue
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    if (x < 0 || y < 0 || x > wide || y > high) { found.push(`out of reach: ${called(one)} ${round(box)}`); continue }
    const hit = document.elementFromPoint(x, y)
    const same = hit && (target.contains(hit) || hit.contains(target) || hit.closest('label')?.contains(one))
    if (!same) found.push(`${called(one)} ${round(box)} is covered by ${hit && called(hit)}`)
    if (one.matches('input:not([type=radio], [type=checkbox], [type=range]), select, textarea') && parseFloat(getComputedStyle(one).fontSize) < 16) found.push(`${called(one)} has letters below 16 px`)
  }
  for (const [one, left, top] of scrolled) one.scrollTo({ left, top, behavior: 'instant' })
  return [...new Set(found)]
}
