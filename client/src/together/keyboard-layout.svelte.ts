// The labels of this keyboard's keys, where the browser knows them.

interface Layouts {
  getLayoutMap(): Promise<ReadonlyMap<string, string>>
}

export const keyboardLayout = $state<{ map: ReadonlyMap<string, string> | null }>({ map: null })

export async function readKeyboardLayout() {
  const { keyboard } = navigator as { keyboard?: Layouts }
  keyboardLayout.map = (await keyboard?.getLayoutMap().catch(() => null)) ?? null
}
