// How the page is built, and how `npm run dev` finds the server of the game.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { brotli } from './build/brotli'
import { firstPages } from './build/first-pages'
import { worker } from './build/worker'

const server = process.env.RATSCREW_SERVER ?? 'http://127.0.0.1:8765'

const COMMON = /node_modules\/(svelte|clsx)\/|preload-helper|src\/(start\/me\.ts|words(\.ts|\/en\.ts$)|cards\/|wire\.ts|start\/(CodeField|code|Who|HandPicker|HowMany|Choice)\b|table\/hand-art|settings\.svelte|route|net\/(ask|rooms|rules)\.ts|sound|touch|Icon|NotLoaded|Panel)/
const TABLE = /src\/(room\/(?!RoomPage|SeatPanel)|table\/|net\/|talk\/|words\/late|words\/en\.ts\?late|rules\/Sheet|wait\/(Arrive|Join))/

export default defineConfig({
  plugins: [svelte(), firstPages(), worker(), brotli()],
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
  build: {
    outDir: process.env.OUT_DIR ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the page's security policy allows no data: fonts
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/shell/sw.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // What is wanted together comes in one piece: each answer has headers of its own, and small ones pack badly.
        codeSplitting: { groups: [{ name: 'common', test: COMMON, priority: 1 }, { name: 'table', test: TABLE }] },
      },
    },
  },
})
