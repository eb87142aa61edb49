import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Cloudscape's global styles carry eight fonts as data addresses, a third of the first page. The system's own will do. */
const withoutEmbeddedFonts: Plugin = {
  name: 'without-embedded-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('global-styles/index.css') ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, '') : null,
}

export default defineConfig({
  root: import.meta.dirname,
  // every address is relative, so the console works under any prefix
  base: './',
  plugins: [withoutEmbeddedFonts, react()],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    // the content security policy lets nothing in but files of this server
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
})
