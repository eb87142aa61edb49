import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hostsNeedRoot } from '@wharf/testkit'

const program = fileURLToPath(new URL('demo.ts', import.meta.url))
const maxMs = 180_000

/** The tour with a folder of its own for all that it makes; `line` is a shell command with the tour as "$@". */
function startTour(t: TestContext, line: string) {
  const folder = mkdtempSync(join(tmpdir(), 'demo-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const child = spawn('sh', ['-c', line, 'sh', process.execPath, program], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: maxMs,
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    child.emit('output')
  })
  return {
    folder,
    child,
    output: () => output,
    exited: once(child, 'close').then(([code]) => code as number | null),
    async until(text: string): Promise<void> {
      while (!output.includes(text)) await once(child, 'output', { signal: AbortSignal.timeout(maxMs) })
    },
  }
}

/** Processes of the tour by their environment or arguments, and what is in its folder. */
function leftBehind(folder: string): string[] {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => ['environ', 'cmdline', 'mountinfo'].some((file) => read(pid, file).includes(folder)))
    .map((pid) => `${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ')}`)
  return [...processes, ...readdirSync(folder)]
}

test('the tour of the README comes to its end within two minutes, and leaves nothing behind', async (t) => {
  const began = performance.now()
  const { folder, output, exited } = startTour(t, 'exec "$@"')
  const code = await exited
  t.diagnostic(`${Math.round((performance.now() - began) / 1000)} s`)
  assert.equal(code, 0, output())
  const signs = ['it is installed', 'mentioned: 13800138000', 'all that it made is taken away']
  if (!hostsNeedRoot) signs.push('a cluster of the three forms', 'does not answer', 'Resolved')
  for (const sign of signs) assert.ok(output().includes(sign), `"${sign}" in ${output()}`)
  assert.deepEqual(leftBehind(folder), [])
})

for (const [what, line] of [
  ['the first line', '"$@" | head -n 1'],
  ['the start of the server', '"$@" | head -n 5'],
  ['an upload, errors included', '"$@" 2>&1 | head -n 10'],
] as const) {
  test(`read as far as ${what}, it leaves nothing behind`, async (t) => {
    const { folder, output, exited } = startTour(t, line)
    assert.equal(await exited, 0)
    assert.match(output(), /^\n/)
    assert.deepEqual(leftBehind(folder), [])
  })
}

for (const [signal, code, at] of [
  ['SIGINT', 130, 'A tour of Wharf'],
  ['SIGTERM', 143, 'three hosts start'],
  ['SIGHUP', 129, 'Wharf starts'],
  ['SIGINT', 130, 'it is uploaded'],
] as const) {
  test(`${signal} after "${at}" leaves nothing behind`, async (t) => {
    const { folder, child, until, exited, output } = startTour(t, 'exec "$@"')
    await until(at)
    child.kill(signal)
    assert.equal(await exited, code, output())
    assert.deepEqual(leftBehind(folder), [])
  })
}
