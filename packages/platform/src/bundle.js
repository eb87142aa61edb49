// an import would load the streams of node:fs too, which takes some milliseconds of every command
const { existsSync, readFileSync, statSync } = process.getBuiltinModule('node:fs')
const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('node:url')

// without types, because it decides whether the type stripper is needed at all
const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * A program, `server` or `cli`, in a few files (scripts/build-programs.ts), undefined when a source has changed since. An
 * installation, which has no scripts, contains the bundle of its sources.
 */
export function currentBundle(program) {
  const record = readRecord(`${root}packages/${program}/dist/bundle.json`)
  if (record === undefined || !existsSync(root + record.entry)) return undefined
  const isCheckout = existsSync(`${root}scripts/ensure.cjs`)
  return !isCheckout || record.sources.every(isUnchanged) ? pathToFileURL(root + record.entry).href : undefined
}

/** Undefined also when another user has built the bundle, and this one may not read it: the sources are slower, and start too. */
function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function isUnchanged([file, modified]) {
  return modificationOf(file) === modified
}

/** In milliseconds; undefined when the file does not exist. */
export function modificationOf(file) {
  return statSync(root + file, { throwIfNoEntry: false })?.mtimeMs
}
