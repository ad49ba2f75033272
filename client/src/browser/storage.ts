// What this browser keeps, for this site and for this tab. Where it keeps nothing, because that is blocked or full, the
// page remembers it until it is closed.

class Store {
  private readonly kept = new Map<string, string>() // what the browser did not take

  constructor(private readonly name: 'localStorage' | 'sessionStorage') {}

  get(key: string): string | null {
    const found: unknown = this.kept.get(key) ?? this.attempt((storage) => storage.getItem(key))
    return typeof found === 'string' ? found : null
  }

  set(key: string, value: string) {
    const stored = this.attempt((storage) => {
      storage.setItem(key, value)
      return storage.getItem(key) === value
    })
    if (stored) this.kept.delete(key)
    else this.kept.set(key, value)
  }

  remove(key: string) {
    this.kept.delete(key)
    this.attempt((storage) => storage.removeItem(key))
  }

  keys(): string[] {
    return [...new Set([...this.kept.keys(), ...(this.attempt((storage) => Object.keys(storage)) ?? [])])]
  }

  /** Whether the browser keeps anything here. */
  works(): boolean {
    const probe = 'ratscrew:probe'
    this.set(probe, '1')
    const works = !this.kept.has(probe)
    this.remove(probe)
    return works
  }

  /** Null where the browser has no storage, or refuses it. */
  private attempt<T>(use: (storage: Storage) => T): T | null {
    try {
      return use(globalThis[this.name])
    } catch {
      return null
    }
  }
}

/** Kept for this site, and shared by its tabs. */
export const local = new Store('localStorage')

/** Kept for this tab. */
export const tab = new Store('sessionStorage')

/** What keeps this browser from finding a seat again: it refuses the cookies that prove whose it is, or stores nothing.
    Chromium refuses cookies where it refuses storage, and says that it takes them. */
export function storageProblem(): 'cookies' | 'storage' | null {
  try {
    if (navigator.cookieEnabled === false) return 'cookies'
  } catch {
    // It does not say.
  }
  return local.works() ? null : 'storage'
}
