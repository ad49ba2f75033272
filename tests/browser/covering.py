"""What lies over a card: anything with ink on the part of it from which it is read."""

from __future__ import annotations

COVERING = """() => {
  // The upper left quarter is the index; other cards, the pile, and what is drawn on the felt lie beneath.
  window.covering = (card) => {
    const box = card.getBoundingClientRect()
    const index = { left: box.left, top: box.top, right: box.left + box.width / 2, bottom: box.top + box.height / 2 }
    const inked = (node) => {
      const style = getComputedStyle(node)
      if (style.visibility === 'hidden' || Number(style.opacity) === 0) return false
      const text = [...node.childNodes].some((kid) => kid.nodeType === 3 && kid.data.trim())
      return text || node instanceof SVGGeometryElement || style.backgroundColor !== 'rgba(0, 0, 0, 0)'
    }
    const beneath = '.card, .thick, .felt-star, .direction, .zone, .sr'
    const covers = [...document.querySelectorAll('main *')].filter((node) => {
      if (node.closest(beneath) || node.contains(card) || !inked(node)) return false
      const it = node.getBoundingClientRect()
      const across = it.right > index.left && it.left < index.right
      return across && it.width > 1 && it.bottom > index.top && it.top < index.bottom
    })
    return covers.map((node) => {
      const { x, y } = node.getBoundingClientRect()
      const part = node.closest('.hand, .tag, section, div').className
      return `${node.tagName} of ${part} at ${x | 0} ${y | 0}, index to ${index.right | 0} ${index.bottom | 0}`
    })
  }
}"""
"""`window.covering(card)` from then on: what lies over a card's index."""
