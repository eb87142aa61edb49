const { spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const maxPingMs = 7000

/** `npm ci` empties node_modules and then retries for minutes. Any HTTP status counts as an answer. */
function checkRegistry(root) {
  const flags = ['--fetch-retries=0', `--fetch-timeout=${maxPingMs}`, '--loglevel=error']
  const { error, status, stderr } = npm(root, ['ping', ...flags], { timeout: maxPingMs, killSignal: 'SIGKILL' })
  if (error && error.code !== 'ETIMEDOUT') throw new Error(`npm does not run: ${error.message}`)
  const code = /code (\w+)/.exec(stderr)?.[1]
  if (status === 0 || /^E\d{3}$/.test(code)) return
  throw new Error(
    `the npm registry does not answer (${code ?? `${maxPingMs / 1000} s`}); connect this machine to it, or make the ` +
      'offline tarball on a machine that is: npm run pack:offline, see docs/operating.md',
  )
}

function installLocked(root) {
  // `--include` overrides NODE_ENV=production, which would leave out the tools of the tests.
  const flags = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  flags.push('--loglevel=error', '--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=5000')
  const { status } = npm(root, ['ci', ...flags], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('npm ci failed, its message is above')
}

/** For an optional package that npm left out, as it does when it supports other versions of Node than this one. */
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
  mkdirSync(target, { recursive: true })
  spawnSync('tar', ['-xzf', archive, '-C', target, '--strip-components=1'], { stdio: 'inherit' })
}

/** Inside an npm script the npm that runs it, otherwise the one on the path. */
function npm(root, args, options = {}) {
  const running = process.env.npm_execpath ?? ''
  const [program, ...before] = running.endsWith('npm-cli.js') ? [process.execPath, running] : ['npm']
  return spawnSync(program, [...before, ...args], { cwd: root, encoding: 'utf8', ...options })
}

module.exports = { checkRegistry, installLocked, installOne }
