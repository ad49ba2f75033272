// A browser that stores nothing, or not all: the page remembers it until it is closed.
import { beforeEach, expect, test, vi } from 'vitest'

class Disk {
  [key: string]: unknown
  getItem(key: string) {
    return (this[key] as string | undefined) ?? null
  }
  setItem(key: string, value: string) {
    this[key] = value
  }
  removeItem(key: string) {
    delete this[key]
  }
}
const methods = { enumerable: false }
Object.defineProperties(Disk.prototype, { getItem: methods, setItem: methods, removeItem: methods })

const refuse = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

const BROKEN: Record<string, () => void> = {
  missing: () => vi.stubGlobal('localStorage', undefined),
  null: () => vi.stubGlobal('localStorage', null),
  blocked: () => Object.defineProperty(globalThis, 'localStorage', { get: refuse, configurable: true }),
  full: () =>
    vi.stubGlobal(
      'localStorage',
      Object.assign(Object.create({ getItem: () => null, setItem: refuse, removeItem() {} }) as object),
    ),
  'forgetting all': () =>
    vi.stubGlobal('localStorage', Object.create({ getItem: () => null, setItem() {}, removeItem() {} })),
  'refusing each use': () =>
    vi.stubGlobal('localStorage', Object.create({ getItem: refuse, setItem: refuse, removeItem: refuse })),
}

beforeEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
  Reflect.deleteProperty(globalThis, 'localStorage')
})

test.each(Object.keys(BROKEN))(
  'a page whose storage is %s remembers what it stored, and says that nothing is stored',
  async (how) => {
    BROKEN[how]!()
    const { local } = await import('./storage')
    expect(local.works()).toBe(false)
    expect(local.get('name')).toBeNull()
    local.set('name', 'Ana')
    expect([local.get('name'), local.keys()]).toEqual(['Ana', ['name']])
    local.remove('name')
    expect([local.get('name'), local.keys()]).toEqual([null, []])
  },
)

test('storage that works is read anew each time: another tab may have changed it', async () => {
  const disk = new Disk()
  vi.stubGlobal('localStorage', disk)
  const { local } = await import('./storage')
  expect(local.works()).toBe(true)
  local.set('name', 'Ana')
  disk.setItem('name', 'Ben')
  expect([local.get('name'), local.keys()]).toEqual(['Ben', ['name']])
})

test('storage that becomes full keeps what was stored, and the page the rest', async () => {
  const disk = new Disk()
  vi.stubGlobal('localStorage', disk)
  const { local } = await import('./storage')
  local.set('name', 'Ana')
  disk.setItem = refuse
  local.set('name', 'Ben')
  local.set('hue', '3')
  expect([local.get('name'), local.get('hue'), disk.getItem('name')]).toEqual(['Ben', '3', 'Ana'])
})
