import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

// Node does not load `.tsx`, style sheets, or Cloudscape, whose components take seconds to load: tests read the elements that
// ours return, and render none of Cloudscape's. Import what needs these hooks dynamically, after this file.

const cloudscape = /^@cloudscape-design\//
const replacement = 'cloudscape:'
/** Everything that the console imports from Cloudscape, by name or as the default of a module. */
const emptyComponents = `
export default function Component() { return null }
export const I18nProvider = ({ children }) => children
export const applyMode = () => {}
export const Mode = { Dark: 'dark', Light: 'light' }`

registerHooks({
  resolve: (specifier, context, next) =>
    cloudscape.test(specifier)
      ? { url: `${replacement}${specifier}`, format: 'module', shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    if (url.startsWith(replacement)) return { format: 'module', source: emptyComponents, shortCircuit: true }
    if (url.endsWith('.css')) return { format: 'module', source: '', shortCircuit: true }
    if (!url.endsWith('.tsx')) return next(url, context)
    const file = fileURLToPath(url)
    const { code, errors } = transformSync(file, readFileSync(file, 'utf8'), { jsx: { runtime: 'automatic' } })
    if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
    return { format: 'module', source: code, shortCircuit: true }
  },
})
