// Installs what Wharf needs, its own Node included, unless that is done. Any Node may run this file: keep to the syntax and
// the module names of Node 10, so that a Node that is too old still prints which one is required.
const { existsSync, readFileSync } = require('fs')
const { createHash } = require('crypto')
const { join } = require('path')

const root = join(__dirname, '..')
const installation = {
  root,
  /** Programs are started with this link to the runtime's own file: with many versions of npm `.bin/node` is missing. */
  runtimeLink: join(root, 'node_modules', '.wharf', 'node'),
  stamp: join(root, 'node_modules', '.wharf', 'installed'),
  stampText: stampText(),
}

if (!isInstalled(installation)) {
  checkOuterNode()
  const { install } = require('./setup/install.cjs')
  install(installation)
}

function isInstalled({ runtimeLink, stamp, stampText }) {
  return existsSync(runtimeLink) && existsSync(stamp) && readFileSync(stamp, 'utf8') === stampText
}

/** The platform is part of it: a checkout shared with another machine contains the wrong binaries. */
function stampText() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`
}

function checkOuterNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const oldest = engines.node.replace('>=', '')
  const found = process.versions.node
  if (Number(found.split('.')[0]) >= Number(oldest)) return
  console.error(
    `Wharf cannot be installed: it requires Node ${oldest} or newer, and ${process.execPath} is Node ${found}`,
  )
  process.exit(1)
}
