// Builds the client; `npm run dev` proxies the API to a game server.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { Features } from 'lightningcss'
import { defineConfig } from 'vite'
import { BROWSERS, baseline } from './build/baseline'
import { brotli } from './build/brotli'
import { entryPages } from './build/entry-pages'
import { minified } from './build/minify'
import { chunkGroups } from './build/chunks'
import { directImports } from './build/direct-imports'
import { serviceWorker } from './build/service-worker'
import { styles } from './build/styles'

const server = process.env.RATSCREW_SERVER ?? 'http://127.0.0.1:8765'

export default defineConfig({
  base: './', // scripts and styles name each other relatively: the client may be served below a path
  plugins: [svelte(), styles(), minified(), directImports(), entryPages(), serviceWorker(), baseline(), brotli()],
  server: { proxy: { '/api': { target: server, ws: true } } },
  css: { lightningcss: { exclude: Features.LightDark } }, // every page is dark
  build: {
    outDir: process.env.OUT_DIR ?? 'dist',
    emptyOutDir: true,
    target: 'es2022', // what is newer than the baseline stops the build; safari15 would make WeakMaps of private fields
    cssTarget: BROWSERS,
    assetsInlineLimit: (path) => path.endsWith('felt.svg'), // a response of its own would be larger; the page's security policy allows no data: fonts
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')),
    }, // lists of scripts would be a part of each first load
    rolldownOptions: {
      experimental: { chunkOptimization: false }, // it dissolves the chunks of pages, which entry pages preload by their names
      input: { index: 'index.html', sw: 'src/pwa/service-worker.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash:7].js'),
        chunkFileNames: 'assets/[name]-[hash:7].js', // scripts name each other, and hashes do not compress
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
})
