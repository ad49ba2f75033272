// Builds the client; `npm run dev` proxies the API to a game server.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { brotli } from './build/brotli'
import { entryPages } from './build/entry-pages'
import { minified } from './build/minify'
import { chunkGroups } from './build/chunks'
import { serviceWorker } from './build/service-worker'

const server = process.env.RATSCREW_SERVER ?? 'http://127.0.0.1:8765'

export default defineConfig({
  plugins: [svelte(), minified(), entryPages(), serviceWorker(), brotli()],
  server: { proxy: { '/api': { target: server, ws: true } } },
  build: {
    outDir: process.env.OUT_DIR ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the page's security policy allows no data: fonts
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/pwa/service-worker.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash:6].js'),
        chunkFileNames: 'assets/[name]-[hash:6].js', // scripts name each other, and hashes do not compress
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
})
