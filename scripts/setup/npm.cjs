const { spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

function installLocked(root) {
  // `--include` overrides NODE_ENV=production, which would skip the tools of the tests.
  const flags = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  flags.push('--loglevel=error', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=5000')
  const { status } = npm(root, ['ci', ...flags], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('npm ci failed, its message is above')
}

/** Installs an optional package that npm skipped because it does not support this version of Node. */
function installOne(root, path, { name = path.replace(/^.*node_modules\//, ''), version, integrity }) {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-setup-'))
  try {
    npm(root, ['pack', `${name}@${version}`, '--loglevel=error', `--pack-destination=${folder}`])
    for (const file of readdirSync(folder)) unpack(join(folder, file), integrity, join(root, path))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function unpack(archive, integrity, target) {
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (`sha512-${digest}` !== integrity) throw new Error(`${target} has another digest than package-lock.json`)
  // renamed when complete, since a package.json means that the package is installed
  const fresh = `${target}.unpacking`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  const { status } = spawnSync('tar', ['-xzf', archive, '-C', fresh, '--strip-components=1'], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`tar failed to unpack ${target}, its message is above`)
  rmSync(target, { recursive: true, force: true })
  renameSync(fresh, target)
}

/** The addresses that npm connects to: the registry, and a proxy where one is set. */
function addresses(root) {
  const { error, stdout } = npm(root, ['config', 'get', 'registry', 'proxy', 'https-proxy', '--loglevel=error'])
  if (error) throw new Error(`npm does not run: ${error.message}`)
  const { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy } = process.env
  const proxies = [HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy]
  const values = [...stdout.split('\n').map((line) => line.replace(/^.*?=/, '')), ...proxies]
  return values.filter((value) => value && URL.canParse(value))
}

/** Inside an npm script the npm that runs it, otherwise the one on the path. */
function npm(root, args, options = {}) {
  const running = process.env.npm_execpath ?? ''
  const [program, ...before] = running.endsWith('npm-cli.js') ? [process.execPath, running] : ['npm']
  return spawnSync(program, [...before, ...args], { cwd: root, encoding: 'utf8', ...options })
}

module.exports = { addresses, installLocked, installOne }
