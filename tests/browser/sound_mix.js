// Renders each sound of the client offline and measures it: `measureSounds(code, sounds, volume)`.
// Loudness is that of ITU-R BS.1770: a high shelf and a high pass, then the mean square, here of the loudest 400 ms, in LUFS.
window.measureSounds = async (code, sounds, volume) => {
  const RATE = 44100
  const SECONDS = 3

  const render = async (play) => {
    let offline = null
    // The page's own context, which takes what is played from its time 0 on.
    window.AudioContext = function () {
      offline = new OfflineAudioContext(1, SECONDS * RATE, RATE)
      Object.defineProperty(offline, 'state', { value: 'running' })
      return offline
    }
    window.$state = (value) => value // the compiler's rune, in code that is bundled without it
    const client = new Function(`${code}; return client`)()
    client.settings.volume = volume
    client.settings.sound = true
    client.unlockAudio()
    play(client.sound)
    return offline.startRendering()
  }

  const weighted = async (buffer) => {
    const context = new OfflineAudioContext(1, buffer.length, RATE)
    const source = new AudioBufferSourceNode(context, { buffer })
    // The two filters of BS.1770 at 48 kHz, as a shelf of +4 dB above 1.7 kHz and a high pass at 38 Hz.
    const shelf = new BiquadFilterNode(context, { type: 'highshelf', frequency: 1682, gain: 4 })
    const pass = new BiquadFilterNode(context, { type: 'highpass', frequency: 38, Q: -6 })
    source.connect(shelf).connect(pass).connect(context.destination)
    source.start()
    return (await context.startRendering()).getChannelData(0)
  }

  const loudest = (data) => {
    const length = 0.4 * RATE
    let sum = 0
    let most = 0
    for (let i = 0; i < data.length; i++) {
      sum += data[i] ** 2 - (i >= length ? data[i - length] ** 2 : 0)
      most = Math.max(most, sum / length)
    }
    return -0.691 + 10 * Math.log10(most)
  }

  // The noise in the sounds differs each time: these few are always the same, and their mean is taken.
  const SEEDS = [1, 2, 3, 4, 5]
  const random = (seed) => () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }

  const found = {}
  for (const [name, play] of Object.entries(sounds)) {
    const each = []
    for (const seed of SEEDS) {
      Math.random = random(seed)
      const buffer = await render(new Function('sound', play))
      const peak = buffer.getChannelData(0).reduce((most, one) => Math.max(most, Math.abs(one)), 0)
      each.push({ loudness: loudest(await weighted(buffer)), peak })
    }
    const loudness = each.reduce((sum, one) => sum + one.loudness, 0) / each.length
    found[name] = { loudness, peak: Math.max(...each.map(({ peak }) => peak)) }
  }
  return found
}
