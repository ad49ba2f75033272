// The labels of this keyboard's keys, where the browser knows them.

interface Layouts {
  getLayoutMap(): Promise<ReadonlyMap<string, string>>
}

export const keyboardLayout = $state<{ map: ReadonlyMap<string, string> | null }>({ map: null })

export async function readKeyboardLayout() {
  try {
    const { keyboard } = navigator as { keyboard?: Layouts }
    keyboardLayout.map = (await keyboard?.getLayoutMap()) ?? null
  } catch {
    keyboardLayout.map = null
  }
}
