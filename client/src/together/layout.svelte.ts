// What the keys of this keyboard say, where the browser knows it.

interface Layouts {
  getLayoutMap(): Promise<ReadonlyMap<string, string>>
}

export const layout = $state<{ map: ReadonlyMap<string, string> | null }>({ map: null })

export async function readLayout() {
  const { keyboard } = navigator as { keyboard?: Layouts }
  layout.map = (await keyboard?.getLayoutMap().catch(() => null)) ?? null
}
