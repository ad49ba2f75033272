// Layout faults of a page: what reaches over the edge of the screen or out of its box, and texts drawn on each other.
() => {
  const found = [], texts = []
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const clips = (box) => getComputedStyle(box).overflowX !== 'visible' && !box.matches('html, body')
  const scrolls = (box) => /auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth
  const clipped = (rect, node) => { // what is seen of it
    let { left, top, right, bottom } = rect
    for (let box = node; box; box = box.parentElement) if (clips(box)) {
      const around = box.getBoundingClientRect()
      left = Math.max(left, around.left), right = Math.min(right, around.right)
      top = Math.max(top, around.top), bottom = Math.min(bottom, around.bottom)
    }
    return { left, top, right, bottom }
  }
  const within = (one) => { // something that scrolls sideways may reach further than what is seen of it
    for (let box = one; box; box = box.parentElement) if (!box.matches('main') && scrolls(box)) return true
    return false
  }
  const layer = (one) => { // what stays in its place when the rest scrolls lies over it
    for (let box = one; box; box = box.parentElement) if (/sticky|fixed/.test(getComputedStyle(box).position)) return box
    return null
  }
  const called = (one) => one.dataset.testid ?? one.getAttribute('aria-label') ?? one.className

  for (const one of document.querySelectorAll('a[href], button, input, select')) {
    const box = one.getBoundingClientRect()
    if (!shown(one) || !box.width || one.closest('[inert], .sr') || within(one)) continue
    if (box.left < -1 || box.right > innerWidth + 1) found.push(`off the screen: ${called(one)} ${Math.round(box.left)}-${Math.round(box.right)}`)
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const node = walk.currentNode, one = node.parentElement
    if (!node.data.trim() || !shown(one) || one.closest('[inert], .sr, script, style, .stage, .banner, option')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const around = one.closest('button, a.button, .pill, [role=dialog], li, section')?.getBoundingClientRect()
    for (const rect of range.getClientRects()) {
      const seen = clipped(rect, one)
      if (seen.right - seen.left < 3 || seen.bottom - seen.top < 1) continue
      if (!within(one) && (seen.left < -1 || seen.right > innerWidth + 1)) found.push(`off the screen: ${node.data.trim()}`)
      if (around && (seen.left < around.left - 1 || seen.right > around.right + 1)) found.push(`outside of its box: ${node.data.trim()}`)
      texts.push({ ...seen, said: node.data.trim(), node, layer: layer(one) })
    }
  }
  for (const [i, a] of texts.entries()) for (const b of texts.slice(i + 1)) {
    if (a.node === b.node || a.layer !== b.layer) continue
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
    if (across > 2 && down > 0.4 * Math.min(a.bottom - a.top, b.bottom - b.top)) found.push(`drawn on each other: ${a.said} | ${b.said}`)
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen')
  for (const main of document.querySelectorAll('main'))
    if (main.scrollWidth > main.clientWidth + 1 && scrolls(main)) found.push('the page can be scrolled sideways')
  return [...new Set(found)]
}
