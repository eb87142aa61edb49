// `npm run test:storage`: backup storage on a real S3, Ceph's gateway. It is run by hand, since Ceph is 300 MB to install.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const maxTestMs = 2 * 60_000
const root = fileURLToPath(new URL('..', import.meta.url))

const needed = [
  { command: 'ceph', debian: 'ceph-common' },
  { command: 'ceph-mon', debian: 'ceph-mon' },
  { command: 'ceph-osd', debian: 'ceph-osd' },
  { command: 'radosgw', debian: 'radosgw' },
  { command: 'uuidgen', debian: 'uuid-runtime' },
  { command: 'curl', debian: 'curl' },
] as const

const has = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
const missing = () => needed.filter(({ command }) => !has(command)).map(({ debian }) => debian)

function install(packages: readonly string[]): void {
  console.log(`Installing ${packages.join(', ')}…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]])
    spawnSync('apt-get', ['--quiet=2', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

if (missing().length > 0 && process.getuid?.() === 0 && has('apt-get')) install(missing())
const absent = missing()
if (absent.length > 0) {
  console.error(`These Debian packages are needed: ${absent.join(' ')}`)
  process.exit(2)
}

const files = globSync('packages/*/src/**/*.storage.test.ts', { cwd: root }).toSorted()
if (files.length === 0) throw new Error('no storage test found')
// one after the other, since each starts its own cluster
const options = ['--test', '--test-concurrency=1', `--test-timeout=${maxTestMs}`]
const { status } = spawnSync(process.execPath, [...options, ...files], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
