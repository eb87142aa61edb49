import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// without types, because it decides whether the type stripper is needed at all
const root = new URL('../../../../', import.meta.url)
const record = new URL('packages/server/dist/bundle.json', root)

/**
 * The program in a few files (scripts/build-server.ts), undefined when a source has changed since. An installation, which
 * has no scripts, contains the bundle of its sources.
 */
export function currentBundle() {
  if (!existsSync(record)) return undefined
  const { entry, sources } = JSON.parse(readFileSync(record, 'utf8'))
  const isCheckout = existsSync(new URL('scripts/ensure.cjs', root))
  return !isCheckout || sources.every(isUnchanged) ? new URL(entry, root).href : undefined
}

function isUnchanged([file, modified]) {
  return modificationOf(file) === modified
}

/** In milliseconds; undefined when the file does not exist. */
export function modificationOf(file) {
  return statSync(fileURLToPath(new URL(file, root)), { throwIfNoEntry: false })?.mtimeMs
}
