// CommonJS without types: loading the type stripper, or Node's loader of ES modules, would cost every start some milliseconds.
const { existsSync, readFileSync, statSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '../../..')
const at = (file) => join(root, file)

/**
 * A program, `server` or `cli`, in a few files (scripts/build-programs.ts), undefined when a source has changed since. An
 * installation, which has no scripts, contains the bundle of its sources.
 */
exports.currentBundle = (program) => {
  const record = readRecord(at(`packages/${program}/dist/bundle.json`))
  if (record === undefined || !existsSync(at(record.entry))) return undefined
  const isCheckout = existsSync(at('scripts/ensure.cjs'))
  return !isCheckout || record.sources.every(isUnchanged) ? at(record.entry) : undefined
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
function modificationOf(file) {
  return statSync(at(file), { throwIfNoEntry: false })?.mtimeMs
}
exports.modificationOf = modificationOf
