import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

/** A program with a log, which tells on its standard output when it is at its last statement. */
const program = (work: string, end: string): string[] => [
  '--input-type=module',
  '--eval',
  `import { logCall, makeLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
   const log = makeLog('info')
   const write = (from) => { for (let n = from; n < from + 500; n++) n % 2 ? log.info({ n }, 'x') : logCall(log, { n }) }
   ${work}
   process.stdin.once('data', () => { ${end} })
   console.log('ready')`,
]

const ends = {
  'by itself': 'process.stdin.unref()',
  'at once': 'process.exit()',
  'after a fatal line': 'log.fatal("over"); process.exit()',
}

const numbersIn = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { n?: number }).n ?? [])

for (const [how, end] of Object.entries(ends))
  test(`no line is lost of a process that ends ${how}`, () => {
    const run = { encoding: 'utf8', input: 'end' } as const
    const { stderr } = spawnSync(process.execPath, program('write(0)', `write(500); ${end}`), run)
    assert.deepEqual(
      numbersIn(stderr),
      Array.from({ length: 1000 }, (_, n) => n),
    )
  })

async function started(work: string, end: string, readFrom: string): Promise<ChildProcess> {
  const shell = `exec "$0" "$@" ${readFrom}`
  const child = spawn('bash', ['-c', shell, process.execPath, ...program(work, end)])
  await once(child.stdout, 'data')
  return child
}

/** Ten seconds are promised to whoever stops a server; its log may have few of them. */
async function endsSoon(child: ChildProcess): Promise<void> {
  const began = performance.now()
  const ended = once(child, 'exit')
  child.stdin?.end('end')
  const isLate = await Promise.race([ended.then(() => false), delay(8000, true, { ref: false })])
  child.kill('SIGKILL')
  assert.ok(!isLate, `it still ran after ${performance.now() - began} ms`)
  assert.equal(child.exitCode, 0)
}

const readers = {
  'has lost its reader': '2> >(exec 0<&-)',
  'is not being read': '2> >(exec sleep 20 > /dev/null 2>&1)',
  'is on a full disk': '2> /dev/full',
}
for (const [what, readFrom] of Object.entries(readers))
  for (const [how, end] of Object.entries(ends))
    test(`a process whose log ${what} ends ${how}`, async () => {
      // more than a pipe holds
      const child = await started('for (let n = 0; n < 10_000; n += 500) write(n)', end, readFrom)
      await endsSoon(child)
    })

test('a reader that was late gets everything, in order', async () => {
  const child = await started('for (let n = 0; n < 10_000; n += 500) write(n)', ends['at once'], '')
  await delay(300)
  let text = ''
  child.stderr?.on('data', (piece) => (text += piece))
  await endsSoon(child)
  assert.deepEqual(
    numbersIn(text),
    Array.from({ length: 10_000 }, (_, n) => n),
  )
})
