// How the page is built, and how `npm run dev` finds the server of the game.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

const server = process.env.RATSCREW_SERVER ?? 'http://127.0.0.1:8765'

export default defineConfig({
  plugins: [svelte()],
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
  build: {
    outDir: process.env.OUT_DIR ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the page's security policy allows no data: fonts
    modulePreload: { polyfill: false },
  },
})
