// How the pure parts of the client are tested: in node, without a browser; files named `x.test.ts` beside what they test.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ['browser'] }, // runes that are alive, as in the page
  test: { environment: 'node', include: ['src/**/*.test.ts'], setupFiles: ['src/i18n/testing.ts'], css: { include: /base.css/ } },
})
