import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compilePhrases } from './compile-phrases.ts'
import { inertSchemas } from './inert-schemas.ts'
import manifest from './package.json' with { type: 'json' }

const server = process.env['CONSOLE_SERVER'] ?? 'http://127.0.0.1:3000'

/** What every page needs, apart from what changes with each release, so that a release leaves it in the browser's cache. */
const vendors = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router|zustand|@tanstack)[\\/]/ },
]

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [compilePhrases(), inertSchemas(), react()],
  define: {
    __CONSOLE_VERSION__: JSON.stringify(process.env['VERSION'] ?? manifest.version),
    __BUILD_TIME__: JSON.stringify(new Date().toISOString()),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Nothing inlined as data: or script, as the content security policy wants it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: vendors } } },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': server, '/socket.io': { target: server, ws: true } } },
})
