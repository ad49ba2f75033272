// Unit tests run in Node, without a browser; `x.test.ts` is beside what it tests.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ['browser'] }, // reactive runes, as in the page
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', 'build/*.test.ts'],
    setupFiles: ['src/i18n/testing.ts'],
    css: { include: /base.css/ },
  },
})
