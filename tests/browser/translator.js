// Translates the page as Google's translator does: a <font> takes the place of each text, and of each text that comes or
// changes later. `window.showOriginal()` takes the translations back.
() => {
  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEXTAREA', 'INPUT'])
  const originals = new Map()
  const excluded = (node) => node.parentElement?.closest('[translate=no], .notranslate')
  function translate(text) {
    const parent = text.parentNode
    if (!text.data.trim() || !parent || SKIPPED.has(parent.nodeName) || parent.nodeName === 'FONT' || excluded(text)) return
    const outer = document.createElement('font')
    const inner = outer.appendChild(document.createElement('font'))
    inner.textContent = `«${text.data}»`
    parent.replaceChild(outer, text)
    originals.set(outer, text)
  }
  function translateAll(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const found = []
    while (walker.nextNode()) found.push(walker.currentNode)
    found.forEach(translate)
  }
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') translate(target)
      for (const node of addedNodes) {
        if (node.nodeType === Node.TEXT_NODE) translate(node)
        else if (node.nodeType === Node.ELEMENT_NODE && node.nodeName !== 'FONT') translateAll(node)
      }
    }
  })
  translateAll(document.body)
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  window.showOriginal = () => {
    observer.disconnect()
    for (const [font, text] of originals) if (font.isConnected) font.parentNode.replaceChild(text, font)
  }
}
