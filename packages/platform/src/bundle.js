import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

// without types, because it decides whether the type stripper is needed at all
const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * A program, `server` or `cli`, in a few files (scripts/build-programs.ts), undefined when a source has changed since. An
 * installation, which has no scripts, contains the bundle of its sources.
 */
export function currentBundle(program) {
  const record = `${root}packages/${program}/dist/bundle.json`
  if (!existsSync(record)) return undefined
  const { entry, sources } = JSON.parse(readFileSync(record, 'utf8'))
  const isCheckout = existsSync(`${root}scripts/ensure.cjs`)
  return !isCheckout || sources.every(isUnchanged) ? pathToFileURL(root + entry).href : undefined
}

function isUnchanged([file, modified]) {
  return modificationOf(file) === modified
}

/** In milliseconds; undefined when the file does not exist. */
export function modificationOf(file) {
  return statSync(root + file, { throwIfNoEntry: false })?.mtimeMs
}
