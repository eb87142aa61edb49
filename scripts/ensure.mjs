// Runs before `npm start`, `npm test` and `npm run check`, and on whatever Node the machine has: keep to Node 20.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules', '.wharf-installed')
const pinnedNode = join(root, 'node_modules', '.bin', 'node')

const lock = readFileSync(join(root, 'package-lock.json'))
const lockHash = createHash('sha256').update(lock).digest('hex')
// The platform is part of it: a checkout shared with another machine holds the wrong binaries.
const wanted = `${lockHash} ${process.platform}-${process.arch}\n`

if (!isInstalled()) install()
// by the pinned Node, which runs TypeScript
if (process.argv.includes('console')) run(pinnedNode, ['scripts/build-console.ts'], 'The console could not be built.')

function isInstalled() {
  return existsSync(pinnedNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
}

function install() {
  console.error('Installing dependencies, which takes a minute…')
  // `--include` speaks against NODE_ENV=production, which would leave the tools of the tests out.
  const flags = ['--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  // a registry that cannot be reached is told of in seconds
  flags.push('--fetch-retry-mintimeout=2000', '--fetch-retry-maxtimeout=5000')
  const [npm, ...before] = npmCommand()
  const { status, error } = spawnSync(npm, [...before, 'ci', '--loglevel=error', ...flags], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (error) fail(`Dependencies were not installed: could not run npm: ${error.message}`)
  if (status !== 0) fail('Dependencies were not installed: npm ci failed, its message is above', status ?? 1)
  // npm passes over an optional package that it cannot fetch, and the runtime is one.
  if (!existsSync(pinnedNode))
    fail(`Dependencies were not installed: no Node runtime for ${process.platform} on ${process.arch}`)
  const left = leftOut()
  if (left.length > 0) console.error(`npm could not fetch what is made for this machine: ${left.join(', ')}`)
  // Last, so that an interrupted installation is repeated.
  writeFileSync(stamp, wanted)
}

/** The optional packages for this machine that are missing: whatever needs one of them will only say that it fails. */
function leftOut() {
  const libc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
  return Object.entries(JSON.parse(lock).packages)
    .filter(([, { optional, os, cpu }]) => optional && os?.includes(process.platform) && cpu?.includes(process.arch))
    .filter(([path, made]) => (made.libc ?? [libc]).includes(libc) && !existsSync(join(root, path)))
    .map(([path, { version }]) => `${path.slice('node_modules/'.length)} ${version}`)
}

function run(program, args, reason) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) fail(reason, status ?? 1)
}

/** Inside an npm script the npm that runs it, otherwise the one on the path. */
function npmCommand() {
  const running = process.env.npm_execpath
  return running?.endsWith('npm-cli.js') ? [process.execPath, running] : ['npm']
}

function fail(reason, exitCode = 1) {
  console.error(reason)
  process.exit(exitCode)
}
