import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Cloudscape's global styles embed eight fonts, a third of the first page; the console uses system fonts. */
const withoutEmbeddedFonts: Plugin = {
  name: 'without-embedded-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('global-styles/index.css') ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, '') : null,
}

export default defineConfig({
  root: import.meta.dirname,
  // relative URLs, so that the console works under any prefix
  base: './',
  plugins: [withoutEmbeddedFonts, react()],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    // the content security policy allows only files of this server
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
})
