"""What lies over a card: anything with ink on the part of it from which it is read."""

from __future__ import annotations

COVERING = """() => {
  // Everything can be hit by its ink while it is looked for: boxes of drawings differ between browsers.
  const hit = new CSSStyleSheet()
  hit.replaceSync('main * { pointer-events: visiblePainted !important }')
  const STEPS = 8
  window.covering = (card) => {
    const { left, top, width, height } = card.getBoundingClientRect()
    const inked = (node) => {
      const style = getComputedStyle(node)
      const text = [...node.childNodes].some((kid) => kid.nodeType === 3 && kid.data.trim())
      return text || node instanceof SVGGeometryElement || style.backgroundColor !== 'rgba(0, 0, 0, 0)'
    }
    const seen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const over = new Set()
    document.adoptedStyleSheets = [hit]
    for (let across = 1; across < STEPS; across++) for (let down = 1; down < STEPS; down++) {
      const [x, y] = [left + (width / 2) * (across / STEPS), top + (height / 2) * (down / STEPS)] // the index
      for (const node of document.elementsFromPoint(x, y)) {
        if (card.contains(node)) break // the rest lies beneath
        if (!node.contains(card) && !node.closest('.sr') && inked(node) && seen(node)) over.add(node)
      }
    }
    document.adoptedStyleSheets = []
    return [...over].map((node) => {
      const { x, y } = node.getBoundingClientRect()
      const part = node.closest('.hand, .tag, .card, section, div').className
      return `${node.tagName} of ${part} at ${x | 0} ${y | 0}, card at ${left | 0} ${top | 0}`
    })
  }
}"""
"""`window.covering(card)` from then on: what lies over a card's index, its upper left quarter."""
