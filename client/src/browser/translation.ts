// Keeps a page true that the browser translates. Translators such as Chrome's put a <font> in the place of each text, so
// that changes of the text are not seen any more. Here each text stays in its place, empty, beside its translation: when it
// changes, the translation goes, and the translator sees the new text.

interface Translated {
  font: Element
  original: string
}

const isFont = (node: Node | null): node is Element => node?.nodeName === 'FONT'

/** Watches the page for translators; does nothing where the browser cannot. */
export function followTranslations(page: Node) {
  const translated = new Map<Text, Translated>()

  /** A translator has taken the text out: it goes back, before what has its place. */
  function keep(text: Text, { target, addedNodes, previousSibling, nextSibling }: MutationRecord) {
    const font = [...addedNodes, previousSibling, nextSibling].find(
      (node) => isFont(node) && node.parentNode === target,
    )
    if (!font || text.isConnected) return
    translated.set(text, { font: font as Element, original: text.data })
    text.data = ''
    target.insertBefore(text, font)
  }

  function look() {
    for (const [text, { font, original }] of translated) {
      const shown = font.isConnected
      if (text.isConnected && !text.data && shown) continue
      translated.delete(text)
      if (shown)
        font.remove() // the text has changed, or is gone
      else if (text.isConnected && !text.data) text.data = original // the translation was taken back
    }
  }

  try {
    const observer = new MutationObserver((records) => {
      for (const record of records) for (const node of record.removedNodes) if (node instanceof Text) keep(node, record)
      look()
    })
    observer.observe(page, { subtree: true, childList: true, characterData: true })
  } catch {
    // Translated texts stay as they were first.
  }
}
