import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { ShellHost } from './shell-host.ts'
import { LocalTransport, type Words } from './transport.ts'

/** This machine, with the processes that its commands have started. */
class CountingTransport extends LocalTransport {
  readonly children: ChildProcess[] = []

  override async open(words: Words, signal: AbortSignal) {
    const child = await super.open(words, signal)
    this.children.push(child)
    return child
  }
}

const { signal } = new AbortController()

function fixture(t: TestContext) {
  const transport = new CountingTransport()
  const host = new ShellHost(transport)
  t.after(() => host.close())
  const run = async (script: string, more: object = {}): Promise<string[]> => {
    const lines: string[] = []
    await host.run(['sh', '-c', script], { signal, onLine: (line) => void lines.push(line), ...more })
    return lines
  }
  return { host, run, children: transport.children }
}

test('commands one after the other share a shell, and their output stays apart', async (t) => {
  const { run, children } = fixture(t)
  for (let number = 1; number <= 20; number++) {
    const input = `${'x'.repeat(number * 1000)}\n`
    const lines = await run(`cat | wc -c; echo ${number} >&2; printf end`, { input })
    // the streams arrive in any order
    assert.deepEqual(lines.toSorted(), [`${input.length}`, `${number}`, 'end'].toSorted())
  }
  assert.equal(children.length, 1)
})

test('concurrent commands have shells of their own, and one is kept', async (t) => {
  const { run, children } = fixture(t)
  const numbers = ['1', '2', '3']
  assert.deepEqual(
    await Promise.all(numbers.map((number) => run(`sleep 0.1; echo ${number}`))),
    numbers.map((number) => [number]),
  )
  assert.equal(children.length, 3)
  assert.deepEqual(await run('echo again'), ['again'])
  assert.equal(children.length, 3)
})

test('a shell that was killed while it was idle is replaced', async (t) => {
  const { run, children } = fixture(t)
  await run(':')
  children[0]?.kill('SIGKILL')
  assert.deepEqual(await run('echo replaced'), ['replaced'])
  assert.equal(children.length, 2)
})

test('the shell of an aborted command serves no other', async (t) => {
  const { run, children } = fixture(t)
  const abort = new AbortController()
  const aborted = assert.rejects(run('echo started; sleep 5', { signal: abort.signal }), /no longer needed/)
  setTimeout(() => abort.abort(new Error('no longer needed')), 200)
  await aborted
  assert.deepEqual(await run('echo next'), ['next'])
  assert.equal(children.length, 2)
})

test('a hook has a process of its own, because what it leaves running may print later', async (t) => {
  const { run, children } = fixture(t)
  await run(':')
  assert.deepEqual(await run('(sleep 0.3; echo late) & echo hook', { hook: { name: 'install' } }), ['hook'])
  assert.deepEqual(await run('sleep 0.5; echo command'), ['command'])
  assert.equal(children.length, 2)
})

test('an idle shell ends when the driver is closed', async (t) => {
  const { host, run, children } = fixture(t)
  await run(':')
  const [child] = children
  assert.equal(child?.exitCode, null)
  await Promise.all([once(child as ChildProcess, 'exit'), host.close()])
  assert.equal(child?.exitCode, 0)
})
