// CommonJS, because Node allows no cached code for ES modules.
const { chmodSync, readFileSync, statSync, writeFileSync } = require('node:fs')
const { createRequire, Module } = require('node:module')
const { dirname } = require('node:path')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')

const checksumBytes = 4

/**
 * Loads the files of a bundle with the code that V8 had compiled at the end of a recorded run. Node's own compile cache has only
 * what is compiled before a file runs, so every start compiles hundreds of functions. A file without a cache that fits it and this Node
 * is loaded as usual.
 */
exports.useCodeCache = () => {
  const { '.js': loadAsUsual } = Module._extensions
  Module._extensions['.cjs'] = (module, file) => {
    const script = cachedScript(file)
    if (script === undefined) loadAsUsual(module, file)
    else run(script, module, file)
  }
}

/** Stores what is compiled when this process exits, for each file of the bundle that it has loaded. */
exports.recordCodeCache = () => {
  const scripts = new Map()
  Module._extensions['.cjs'] = (module, file) => {
    const script = compile(file)
    scripts.set(file, script)
    run(script, module, file)
  }
  process.once('exit', () => {
    for (const [file, script] of scripts) store(file, script.createCachedData())
  })
}

function cachedScript(file) {
  const cachedData = readStored(file)
  if (cachedData === undefined) return undefined
  const script = compile(file, cachedData)
  return script.cachedDataRejected ? undefined : script
}

function compile(file, cachedData) {
  const source = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, 'utf8')}\n})`
  return new Script(source, { filename: file, cachedData })
}

function run(script, module, file) {
  script.runInThisContext().call(module.exports, module.exports, createRequire(file), module, file, dirname(file))
}

/** V8 checks its version and the length of the source, and crashes when the rest is damaged. */
function store(file, data) {
  const checksum = Buffer.alloc(checksumBytes)
  checksum.writeUInt32LE(crc32(data))
  writeFileSync(`${file}.cache`, Buffer.concat([checksum, data]))
  // files of a server are readable by its user only, those of the bundle by all who start it
  chmodSync(`${file}.cache`, statSync(file).mode)
}

function readStored(file) {
  try {
    const stored = readFileSync(`${file}.cache`)
    const data = stored.subarray(checksumBytes)
    return stored.readUInt32LE() === crc32(data) ? data : undefined
  } catch {
    return undefined
  }
}
