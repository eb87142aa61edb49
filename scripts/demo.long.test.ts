import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hostsNeedRoot } from '@wharf/testkit'

const program = fileURLToPath(new URL('demo.ts', import.meta.url))
const maxMs = 180_000

/** Runs the demo with its own folder for temporary files; `line` is a shell command with the demo as "$@". */
function startDemo(t: TestContext, line: string) {
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

/** The demo's processes, found by their environment or arguments, and the files in its folder. */
function leftovers(folder: string): string[] {
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

test('the demo of the README ends within two minutes and leaves nothing behind', async (t) => {
  const started = performance.now()
  const { folder, output, exited } = startDemo(t, 'exec "$@"')
  const code = await exited
  t.diagnostic(`${Math.round((performance.now() - started) / 1000)} s`)
  assert.equal(code, 0, output())
  const signs = ['the package is installed', 'mentioned: 13800138000', 'everything is removed']
  signs.push(
    'Failed             wave 2 of 2',
    'RolledBack         rollout hello-1.1.0',
    'has 1.0.0 and its greeting again',
  )
  if (!hostsNeedRoot) signs.push('the three hosts form a cluster', 'does not answer', 'Resolved')
  for (const sign of signs) assert.ok(output().includes(sign), `"${sign}" in ${output()}`)
  assert.deepEqual(leftovers(folder), [])
})

test('--keep leaves the server running until Ctrl-C', async (t) => {
  const { folder, child, until, exited, output } = startDemo(t, 'exec "$@" --keep')
  await until('Press Ctrl-C to remove everything')
  const [, data = ''] = /export WHARF_DATA=(\S+)/.exec(output()) ?? []
  const wharf = fileURLToPath(new URL('../bin/wharf', import.meta.url))
  const env = { ...process.env, WHARF_DATA: data, HOME: folder }
  assert.match(execFileSync(wharf, ['host', 'list', '-o', 'name'], { env, encoding: 'utf8' }), /^host-1\n/)
  child.kill('SIGINT')
  assert.equal(await exited, 130, output())
  assert.deepEqual(leftovers(folder), [])
})

for (const [what, line] of [
  ['the first line', '"$@" | head -n 1'],
  ['the start of the server', '"$@" | head -n 5'],
  ['an upload, errors included', '"$@" 2>&1 | head -n 10'],
] as const) {
  test(`leaves nothing behind when its output is read only up to ${what}`, async (t) => {
    const { folder, output, exited } = startDemo(t, line)
    assert.equal(await exited, 0)
    assert.match(output(), /^\n/)
    assert.deepEqual(leftovers(folder), [])
  })
}

for (const [signal, code, at] of [
  ['SIGINT', 130, 'Wharf demo'],
  ['SIGTERM', 143, 'three hosts start'],
  ['SIGHUP', 129, 'Wharf starts'],
  ['SIGINT', 130, 'the package is uploaded'],
] as const) {
  test(`${signal} after "${at}" leaves nothing behind`, async (t) => {
    const { folder, child, until, exited, output } = startDemo(t, 'exec "$@"')
    await until(at)
    child.kill(signal)
    assert.equal(await exited, code, output())
    assert.deepEqual(leftovers(folder), [])
  })
}
