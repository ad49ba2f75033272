// What the keys of this keyboard say, where the browser knows it.

interface Layouts {
  getLayoutMap(): Promise<ReadonlyMap<string, string>>
}

export const keyboardLayout = $state<{ map: ReadonlyMap<string, string> | null }>({ map: null })

export async function readKeyboardLayout() {
  const { keyboard } = navigator as { keyboard?: Layouts }
  keyboardLayout.map = (await keyboard?.getLayoutMap().catch(() => null)) ?? null
}
