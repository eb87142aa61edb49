const { spawnSync } = require('node:child_process')
const { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { dirname, join, relative } = require('node:path')
const { missingPackages, runtimePackage } = require('./locked-packages.cjs')
const { addresses, installLocked, installOne } = require('./npm.cjs')
const { checkRegistry } = require('./registry.cjs')

/** Writes the stamp last, and only when every package of this platform is on disk. */
function install({ root, runtimeLink, stamp, stampText }) {
  try {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const runtime = runtimePackage(packages)
    checkRegistry(addresses(root))
    console.error('Installing dependencies, which takes a minute…')
    rmSync(stamp, { force: true })
    installLocked(root)
    for (const path of missingPackages(root, packages))
      if (packages[path].optional) installOne(root, path, packages[path])
    const missing = missingPackages(root, packages)
    if (missing.length > 0) throw new Error(`npm did not install ${missing.join(', ')}`)
    const program = join(root, runtime, packages[runtime].bin.node)
    checkRuntime(program, packages[runtime].version)

    mkdirSync(dirname(stamp), { recursive: true })
    rmSync(runtimeLink, { force: true })
    symlinkSync(relative(dirname(runtimeLink), program), runtimeLink)
    writeFileSync(stamp, stampText)
  } catch (error) {
    console.error(`Wharf cannot be installed: ${error.message}`)
    process.exit(1)
  }
}

function checkRuntime(program, version) {
  const { error, stdout, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (stdout?.trim() === `v${version}`) return
  throw new Error(
    `${program} does not run as Node ${version} on this machine: ${error?.message ?? (stdout + stderr).trim()}`,
  )
}

module.exports = { install }
