import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Cloudscape's global styles embed eight fonts, a third of the first page; the console uses system fonts. */
const withoutEmbeddedFonts: Plugin = {
  name: 'without-embedded-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('global-styles/index.css') ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, '') : null,
}

/** Cloudscape's navigation of small screens has an orientation, which ARIA does not allow for that role. */
const withoutOrientationOfNavigation: Plugin = {
  name: 'without-orientation-of-navigation',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('visual-refresh/mobile-toolbar.js') ? code.replace(/"aria-orientation": "horizontal",/, '') : null,
}

/** Each component of Cloudscape checks that the styles are loaded, which makes creating a table a tenth slower. */
const withoutStylesCheck: Plugin = {
  name: 'without-styles-check',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('use-base-component/styles-check.js') ? 'export const useMissingStylesCheck = () => {}' : null,
}

/** A style sheet in the head delays everything; after the shell, it delays only the script, which needs it. */
const styleSheetsAfterShell: Plugin = {
  name: 'style-sheets-after-shell',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const sheets: string[] = []
      const head = html.replaceAll(/\s*<link rel="stylesheet"[^>]*>/g, (sheet) => {
        sheets.push(sheet)
        return ''
      })
      return head.replace(/\s*<\/body>/, (end) => sheets.join('') + end)
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  // relative URLs, so that the console works under any prefix
  base: './',
  plugins: [withoutEmbeddedFonts, withoutOrientationOfNavigation, withoutStylesCheck, styleSheetsAfterShell, react()],
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    // the content security policy allows only files of this server
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
})
