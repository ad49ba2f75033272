// What is cut off on this page: every text that reaches over its control, over a box that hides what is too much, or
// over the screen. Names of people may be cut (`.cut`), figures beside them not, and what scrolls may be longer than what is seen of it.
() => {
  const found = []
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const out = (text, box) => text.right > box.right + 1 || text.left < box.left - 1
  while (walk.nextNode()) {
    const [node, element] = [walk.currentNode, walk.currentNode.parentElement]
    const said = node.data.trim()
    if (!/\p{L}/u.test(said) || element.closest('.sr, .cut:not(.held), script, style, noscript, .card, [aria-hidden=true]')) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const text = range.getBoundingClientRect()
    for (let box = element; ; box = box.parentElement) {
      if (box === document.body || getComputedStyle(box).position === 'fixed') {
        if (out(text, { left: 0, right: innerWidth })) found.push(`${said} (the screen)`)
        break
      }
      const { overflowX, textOverflow } = getComputedStyle(box)
      if (overflowX !== 'visible' && textOverflow === 'ellipsis' && box.scrollWidth > box.clientWidth) {
        found.push(`${said} (ends in an ellipsis)`)
        break
      }
      if (overflowX === 'auto' || overflowX === 'scroll') break
      if (overflowX === 'hidden' || overflowX === 'clip' || box.matches('button, a, label, legend, summary, h1, h2, h3')) {
        if (getComputedStyle(box).display !== 'inline' && out(text, box.getBoundingClientRect())) {
          found.push(`${said} (${box.tagName.toLowerCase()})`)
          break
        }
      }
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen')
  return found
}
