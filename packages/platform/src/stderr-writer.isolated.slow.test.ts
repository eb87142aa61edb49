import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

/** A server stops within ten seconds, of which its log may use only a few. */
const soonMs = 8000

/** A program with a log, which prints `ready` before its last statement. */
const program = (work: string, end: string): string[] => [
  '--input-type=module',
  '--eval',
  `import { logCall, makeLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
   const log = makeLog('info')
   const write = (from, to) => { for (let n = from; n < to; n++) n % 2 ? log.info({ n }, 'x') : logCall(log, { n }) }
   ${work}
   process.stdin.once('data', () => { ${end} })
   console.log('ready')`,
]

const ends = {
  'without an exit call': 'process.stdin.unref()',
  'by process.exit': 'process.exit()',
  'after a fatal line': 'log.fatal("over"); process.exit()',
}

const linesOf = (text: string): { n?: number; dropped?: number }[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const numbersIn = (text: string): unknown[] => linesOf(text).flatMap(({ n }) => n ?? [])
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

for (const [how, end] of Object.entries(ends))
  test(`a process that ends ${how} loses no line`, () => {
    const run = { encoding: 'utf8', input: 'end' } as const
    const { stderr } = spawnSync(process.execPath, program('write(0, 500)', `write(500, 1000); ${end}`), run)
    assert.deepEqual(numbersIn(stderr), upTo(1000))
  })

async function started(work: string, end: string, reader: string): Promise<ChildProcess> {
  const child = spawn('bash', ['-c', `exec "$0" "$@" ${reader}`, process.execPath, ...program(work, end)])
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(soonMs) })
  return child
}

async function endsSoon(child: ChildProcess, signOfEnd: 'exit' | 'close' = 'exit'): Promise<void> {
  const ended = once(child, signOfEnd, { signal: AbortSignal.timeout(soonMs) })
  child.stdin?.end('end')
  await ended.finally(() => child.kill('SIGKILL'))
  assert.equal(child.exitCode, 0)
}

const readers = {
  'has lost its reader': '2> >(exec 0<&-)',
  'is not being read': '2> >(exec sleep 20 > /dev/null 2>&1)',
  'is a socket that is not being read': '',
  'is on a full disk': '2> /dev/full',
}
for (const [index, [what, reader]] of Object.entries(readers).entries())
  for (const [how, end] of Object.entries(ends).filter((_, n) => process.env.TEST_LONG || index % 3 === n))
    test(`a process whose log ${what} ends ${how}`, async () => {
      // more than the buffer of a pipe
      const child = await started('write(0, 5000)', end, reader)
      await endsSoon(child)
    })

test('a process ends although its terminal accepts no output', async (t) => {
  const onSignal = `process.once('SIGUSR2', () => { write(0, 5000); process.exit() }); console.log('pid ' + process.pid)`
  const env = { ...process.env, NODE: process.execPath, PROGRAM: program(onSignal, '').at(-1) }
  const command = 'exec "$NODE" --input-type=module --eval "$PROGRAM"'
  const terminal = spawn('script', ['-qfec', command, '/dev/null'], { env })
  t.after(() => terminal.kill('SIGKILL'))
  let printed = ''
  const signal = AbortSignal.timeout(soonMs)
  while (!printed.includes('ready')) printed += (await once(terminal.stdout, 'data', { signal }))[0]
  const pid = Number(/pid (\d+)/.exec(printed)?.[1])
  terminal.kill('SIGSTOP')
  process.kill(pid, 'SIGUSR2')
  // the reader of the terminal is suspended
  const hasEnded = (): boolean => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  for (const until = performance.now() + soonMs; !hasEnded() && performance.now() < until; ) await delay(20)
  const isOver = hasEnded()
  if (!isOver) process.kill(pid, 'SIGKILL')
  assert.ok(isOver, 'it still runs')
})

test('a late reader gets everything, in order', async () => {
  const child = await started('write(0, 5000)', ends['by process.exit'], '')
  await delay(300)
  let text = ''
  child.stderr?.on('data', (piece) => (text += piece))
  await endsSoon(child, 'close')
  assert.deepEqual(numbersIn(text), upTo(5000))
})

/** More than is buffered, and then a line every 50 ms. */
const flood = `for (let n = 0; n < 6000; n++) log.info({ n }, 'x'.repeat(1000))
  setInterval(() => log.info('alive'), 50).unref()`

function hasWhatWasKept(text: string): void {
  const numbers = numbersIn(text)
  assert.deepEqual(numbers, upTo(numbers.length))
  const { dropped = 0 } = linesOf(text)[numbers.length] ?? {}
  assert.ok(dropped > 0 && numbers.length + dropped >= 6000, `${numbers.length} lines, then ${dropped} dropped`)
}

test('a reader that is too late gets the buffered lines, the number of dropped ones, and then all new lines', async () => {
  const child = await started(flood, ends['by process.exit'], '')
  let text = ''
  child.stderr?.on('data', (piece) => (text += piece))
  for (let attempts = 0; attempts < 400 && !text.includes('alive'); attempts++) await delay(20)
  await endsSoon(child, 'close')
  hasWhatWasKept(text)
})

test('so does a reader that replaces another one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-log-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const pipe = join(folder, 'pipe')
  spawnSync('sh', ['-c', 'mkfifo "$0"', pipe])
  const firstIsGone = once(spawn('head', ['--lines=1', pipe]), 'exit', { signal: AbortSignal.timeout(soonMs) })
  const child = await started(
    `log.info('first'); setTimeout(() => { ${flood} }, 500)`,
    ends['by process.exit'],
    `2> ${pipe}`,
  )
  await firstIsGone
  await delay(1000)
  let text = ''
  const second = spawn('cat', [pipe])
  const secondIsGone = once(second, 'close', { signal: AbortSignal.timeout(2 * soonMs) })
  second.stdout.on('data', (piece) => (text += piece))
  for (let attempts = 0; attempts < 400 && !text.includes('alive'); attempts++) await delay(20)
  await endsSoon(child, 'close')
  await secondIsGone
  hasWhatWasKept(text)
})
