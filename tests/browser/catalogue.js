// In a page of which every text is known by its path in the catalogue: finds the texts that are shown, and puts the
// others that may stand in their places there, to see whether they fit. See catalogue.py.
(() => {
  const LETTERS = /\p{L}/u
  const GROUPS = 2 // of places: those of one keep their texts while those of the other get new ones
  const CLOSE = 0.97 // of the largest width: texts of nearly that may break into more lines
  /** Every text that the page has asked for, and its paths. */
  const asked = new Map()
  /** The whole catalogue of the page's language, by path. */
  const raw = new Map()
  /** Those of the other languages. */
  const others = []
  /** The one whose texts are made just now. */
  let spoken = raw

  function note(path, text) {
    if (typeof text !== 'string' || !text.trim()) return
    const key = text.trim()
    if (!asked.has(key)) asked.set(key, new Set())
    asked.get(key).add(path)
  }

  /** The same texts; those that are asked for are noted. */
  function listened(value, path) {
    raw.set(path, value)
    if (typeof value === 'function') {
      const told = (...given) => {
        const text = value(...given)
        note(path, text)
        return text
      }
      return Object.defineProperty(told, 'length', { value: value.length })
    }
    if (typeof value !== 'object' || !value) return value
    const copy = Array.isArray(value) ? [] : {}
    for (const [key, inner] of Object.entries(value)) {
      const here = path ? `${path}.${key}` : key
      const heard = listened(inner, here)
      const get = typeof heard === 'string' ? () => (note(here, heard), heard) : () => heard
      Object.defineProperty(copy, key, { get, enumerable: true, configurable: true })
    }
    return copy
  }

  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

  /** What a function returns, kept until the page has asked for more texts. */
  function keptWhileNoneIsAsked(make) {
    let [size, kept] = [-1, new Map()]
    return (key) => {
      if (size !== asked.size) [size, kept] = [asked.size, new Map()]
      if (!kept.has(key)) kept.set(key, make(key))
      return kept.get(key)
    }
  }

  const longestFirst = keptWhileNoneIsAsked(() => [...asked.keys()].filter((text) => LETTERS.test(text)).sort((a, b) => b.length - a.length))

  /** The texts of the catalogue in a text of the page: where they begin and end, and their paths. The longest first. */
  const parts = keptWhileNoneIsAsked((data) => {
    const whole = asked.get(data.trim())
    if (whole) return [{ from: data.indexOf(data.trim()), text: data.trim(), paths: [...whole] }]
    const found = []
    let rest = data
    for (const text of longestFirst().filter((text) => data.includes(text))) {
      const at = new RegExp(`(?<![\\p{L}\\d])${escaped(text)}(?![\\p{L}\\d])`, 'u').exec(rest)
      if (!at) continue
      found.push({ from: at.index, text, paths: [...asked.get(text)] })
      rest = rest.slice(0, at.index) + '\0'.repeat(text.length) + rest.slice(at.index + text.length)
    }
    return found
  })

  /** The text nodes that are seen. */
  function nodes(root) {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const found = []
    while (walk.nextNode()) {
      const node = walk.currentNode
      if (node.data.trim() && !node.parentElement.closest('script, style') && shown(node.parentElement)) found.push(node)
    }
    return found
  }

  const NAME = 'W'.repeat(20) // as long as names get, with the widest letter
  const say = (path) => spoken.get(path)
  const under = (path) => [...spoken].filter(([one, text]) => one.startsWith(path + '.') && typeof text === 'string').map(([, text]) => text)
  /** The longest of some texts, and the one with the longest word. */
  const longest = (texts, by = (text) => text.length) => texts.reduce((most, text) => (by(text) > by(most) ? text : most), '')
  const wordOf = (text) => longest(text.split(/[ \u00ad-]/)).length
  const widest = (texts) => [...new Set([longest(texts), longest(texts, wordOf)])]

  const opponents = () => say('ladder.lines')
  const ranks = () => widest([...under('card.ranks'), '10'])
  const cards = () => widest(under('card.ranks').flatMap((rank) => under('card.suits').map((suit) => say('card.name')(rank, suit))))
  const patterns = () => widest([...under('say.patterns'), ...world.patterns])
  const houses = () => widest(world.houses)
  const [count, ms, us] = [[1, 2, 108], [9, 1500], [9_900, 250_000, 1_500_000]]
  /** Everything that texts are made with, by the names of their arguments: the shortest and the widest that there is. */
  const GIVEN = {
    ...Object.fromEntries(['who', 'name', 'host', 'winner', 'taker', 'teacher', 'to', 'than', 'whose', 'player'].map((name) => [name, () => [NAME]])),
    ...Object.fromEntries(['n', 'held', 'at', 'most', 'bots', 'people', 'ahead', 'behind', 'games', 'hits', 'slaps', 'taken', 'times', 'turned', 'won', 'votes', 'needed', 'players', 'points', 'place', 'rank: number', 'cards: number', 'minutes'].map((name) => [name, () => count])),
    ...Object.fromEntries(['first', 'last'].map((name) => [name, () => [1000, 2345]])),
    ...Object.fromEntries(['ms', 'best', 'rtt'].map((name) => [name, () => ms])),
    ...Object.fromEntries(['us', 'before', 'granted', 'free', 'purse'].map((name) => [name, () => us])),
    ...Object.fromEntries(['alone', 'open: boolean', 'held: boolean'].map((name) => [name, () => [true, false]])),
    left: () => [1, 4],
    jitter: () => [0, 450],
    percent: () => [1, 100],
    seconds: () => [1, 3600],
    of: () => count,
    'of: string': () => [NAME],
    'of: number | null': () => [null, 9],
    card: cards,
    list: () => ['10♠ 10♥ 10♦ 10♣ 10♠ 10♥', say('count')(6)],
    'cards: string': cards,
    challenge: () => [say('status.challenge')(NAME, ranks()[0])],
    'home.duel: who': () => widest(Object.keys(opponents())),
    'ladder.next: who': () => widest(Object.keys(opponents())),
    'home.house: name': () => houses().map((house) => say('rules.changed')(house, 12)),
    code: () => [world.code],
    room: () => [world.code],
    day: () => [new Date(2028, 8, 27).toLocaleDateString(document.documentElement.lang, { dateStyle: 'long' })],
    house: houses,
    rules: houses,
    how: () => [say('say.untilPile'), say('say.untilCards')(10)],
    hue: () => widest(under('hand.hues')),
    shape: () => widest(under('hand.shapes')),
    key: () => ['ArrowRight'],
    'left: string': () => ['59:59'],
    pattern: patterns,
    quality: () => under('line.quality'),
    "quality: 'good' | 'fair' | 'poor'": () => ['good', 'fair', 'poor'],
    quarter: () => ['4'],
    rank: ranks,
    short: () => [say('line.short')(1500, 450)],
    strength: () => widest([...['gentle', 'steady', 'sharp'].map((name) => say(`start.strengths.${name}.label`)), 'Sekhmet']),
    suit: () => widest(under('card.suits')),
    then: () => [say('me.strikesLeft')(3)],
    time: () => ['59:59'],
    title: () => widest(world.titles),
    top: cards,
    under: cards,
    until: () => [new Date(2028, 8, 27, 23, 59).toLocaleString(document.documentElement.lang, { weekday: 'long', hour: '2-digit', minute: '2-digit' })],
    what: () => widest(world.titles),
    "what: 'turn' | 'slap'": () => ['turn', 'slap'],
    year: () => ['2028'],
    Moment: () => [{ teacher: NAME, left: 1 }, { teacher: NAME, left: 4 }],
  }
  const made = new Map()
  function given(path) {
    const all = world.made[path] ?? []
    return all.map(([name, type]) => {
      const how = GIVEN[`${path}: ${name}`] ?? GIVEN[`${name}: ${type}`] ?? GIVEN[type] ?? GIVEN[name]
      if (!how) throw new Error(`${path} is made with ${name}: ${type}. Name its widest values in GIVEN.`)
      return how()
    })
  }

  /** Texts, arguments, and what comes from the server: see catalogue.py. */
  let world = { made: {}, others: [], patterns: [], houses: [], titles: [], code: '', long: 0 }

  /** All texts that a path may give, in every language. */
  function variants(path) {
    if (made.has(path)) return made.get(path)
    const found = [...new Set([raw, ...others].flatMap((catalogue) => {
      spoken = catalogue
      try {
        return variantsIn(catalogue, path)
      } finally {
        spoken = raw
      }
    }))]
    made.set(path, found)
    return found
  }
  function variantsIn(catalogue, path) {
    const value = catalogue.get(path)
    if (value === undefined && catalogue === raw) throw new Error(`no text ${path}`)
    if (value === undefined) return [] // in that language the server's own text is shown
    const all = typeof value === 'string' ? [value] : given(path).reduce((all, some) => all.flatMap((before) => some.map((one) => [...before, one])), [[]]).map((all) => value(...all))
    return all.filter((text) => typeof text === 'string' && text.trim())
  }

  const paths = () => [...raw].filter(([, value]) => typeof value !== 'object').map(([path]) => path)
  const standingFor = new Map()

  /** What a pattern stands for: all texts of the paths that match, or with {path} in it a sentence of their longest. */
  function standing(pattern) {
    if (!standingFor.has(pattern)) standingFor.set(pattern, texts(pattern))
    return standingFor.get(pattern)
  }
  function texts(pattern) {
    if (pattern.includes('{')) return [pattern.replace(/\{(.*?)\}/g, (_, path) => longest(variants(path)))]
    const matching = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
    const found = paths().filter((path) => matching.test(path))
    if (!found.length) throw new Error(`no text is called ${pattern}`)
    return found.flatMap(variants)
  }

  const bannerOf = (node) => (node.parentElement.matches('b') ? node.parentElement.closest('.banner') : null)

  /** Puts a text in a place. */
  function put(node, text) {
    node.data = text
    bannerOf(node)?.classList.toggle('long', text.length > world.long)
  }

  const ruler = new OffscreenCanvas(1, 1).getContext('2d')
  const largestIn = new Map()
  /** Of the texts that may stand in a place, those that take most room: the longest as a whole, and by their longest word. */
  function largest(node, texts) {
    const { fontFamily, fontStyle, fontWeight, textTransform } = getComputedStyle(node.parentElement)
    const font = `${fontStyle} ${fontWeight} 100px ${fontFamily}`
    const key = [font, textTransform, !!bannerOf(node), ...texts].join('\n')
    if (largestIn.has(key)) return largestIn.get(key)
    ruler.font = font
    const wide = (text) => ruler.measureText(textTransform === 'uppercase' ? text.toUpperCase() : text).width
    const found = new Set()
    for (const some of bannerOf(node) ? [texts.filter((text) => text.length > world.long), texts.filter((text) => text.length <= world.long)] : [texts])
      for (const by of [wide, (text) => Math.max(...text.split(/[\s\u00ad-]/).map(wide))]) {
        const widths = some.map(by)
        const most = Math.max(...widths)
        some.forEach((text, i) => widths[i] >= most * CLOSE && found.add(text))
      }
    largestIn.set(key, [...found])
    return [...found]
  }

  /** Adds a text, and those in it, to a catalogue. */
  function keep(catalogue, path, value) {
    catalogue.set(path, value)
    if (typeof value === 'object' && value) for (const [key, inner] of Object.entries(value)) keep(catalogue, `${path}.${key}`, inner)
  }

  window.catalogue = {
    record: (texts) => {
      const copy = {}
      for (const [key, value] of Object.entries(texts)) {
        const heard = listened(value, key)
        Object.defineProperty(copy, key, { get: () => (note(key, heard), heard), enumerable: true })
      }
      return copy
    },

    paths,
    know: async (what) => {
      world = what
      if (others.length) return
      for (const parts of world.others) {
        const catalogue = new Map()
        for (const part of parts)
          for (const texts of Object.values(await import(part))) for (const [key, value] of Object.entries(texts)) keep(catalogue, key, value)
        others.push(catalogue)
      }
    },

    /** The paths of all texts on the page: those that are seen, read aloud or name a control. */
    present: () => {
      const found = new Set()
      const add = (text) => { for (const part of parts(text)) for (const path of part.paths) found.add(path) }
      const options = [...document.querySelectorAll('option')].flatMap((option) => [...option.childNodes]).filter((node) => node.data)
      for (const node of [...nodes(document.body), ...options]) add(node.data)
      const NAMES = ['aria-label', 'title', 'alt', 'aria-description', 'aria-valuetext', 'placeholder']
      for (const one of document.querySelectorAll(NAMES.map((name) => `[${name}]`).join()))
        for (const name of NAMES) add(one.getAttribute(name) ?? '')
      add(document.title)
      return found
    },

    /**
     * Puts each text that may stand in a place there, and returns what is lost then: the same text in other languages,
     * with other names or numbers, and in those of `places` the texts that may stand there, by a CSS selector. Of what is
     * around a place, only its largest text can take room. The places of a group get their texts at once, and fewer of
     * them only if something is lost then: two of them may never be there together.
     */
    lay: (places) => {
      const all = new Map(), seen = []
      const may = (node, texts) => all.set(node, new Set([...(all.get(node) ?? []), ...texts]))
      for (const node of nodes(document.querySelector('#app'))) {
        if (large.aloud(node.parentElement)) continue
        const texts = parts(node.data).flatMap(({ from, text, paths }) =>
          paths.filter((path) => typeof raw.get(path) !== 'object').flatMap((path) =>
            variants(path).map((other) => node.data.slice(0, from) + other + node.data.slice(from + text.length))))
        if (texts.length) may(node, texts)
      }
      for (const [css, patterns] of Object.entries(places)) {
        const place = [...document.querySelectorAll(css)].find(large.shown)
        const node = place && nodes(place)[0]
        if (node) seen.push(css)
        if (node) may(node, patterns.flatMap(standing))
      }
      const usual = large.faults()
      const faults = new Set(usual)
      const every = [...all]
        .map(([node, texts]) => ({ node, before: node.data, texts: largest(node, [node.data, ...texts]), largest: node.data, area: 0 }))
        .filter(({ before, texts }) => texts.length > 1 || texts[0] !== before)
      /** What `look` finds while places have these texts. */
      const withTexts = (some, textOf, look) => {
        for (const one of some) put(one.node, textOf(one))
        const found = look()
        for (const one of some) put(one.node, one.before)
        return found
      }
      const measure = (one, text) => {
        const { width, height } = one.node.parentElement.getBoundingClientRect()
        if (width * height > one.area) [one.largest, one.area] = [text, width * height]
        return large.ofWords(one.node)
      }
      for (let group = 0; group < GROUPS; group++) {
        const some = every.filter((_, i) => i % GROUPS === group)
        const most = Math.max(0, ...some.map(({ texts }) => texts.length))
        for (let i = 0; i < most; i++) {
          const now = some.filter(({ texts }) => i < texts.length)
          const text = (one) => one.texts[i]
          const wrong = withTexts(now, text, () => now.filter((one) => measure(one, text(one)).length))
          for (const one of wrong) for (const fault of withTexts([one], text, () => large.ofWords(one.node))) faults.add(`${fault} [${text(one)}]`)
        }
        besideLargest(some)
      }
      /** Looks at what is around these places: at all at once, and if something is lost then, at each half of them. */
      function besideLargest(some) {
        if (!some.length) return
        const lost = withTexts(some, (one) => one.largest, large.faults).filter((fault) => !usual.includes(fault))
        if (some.length === 1) for (const fault of lost) faults.add(`${fault} [beside ${some[0].largest}]`)
        else if (lost.length) for (const half of [some.slice(0, some.length / 2), some.slice(some.length / 2)]) besideLargest(half)
      }
      return { faults: [...faults], seen }
    },
  }
})()
