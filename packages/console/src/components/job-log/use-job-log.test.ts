import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { getApiJobLog, getApiJobLogLines } from '@wharf/contract'
import { HookPage, settle } from '../../data/testing/render-hook.ts'

const { useJobLog } = await import('./use-job-log.ts')

const time = '2026-11-05T01:02:03.456Z'
const stored = (count: number) => ({
  lines: Array.from({ length: count }, (_, index) => ({ number: index + 1, time, line: `line ${index + 1}` })),
  count,
})

/** The open stream of a log, to which the test writes. */
class LogStream {
  readonly response: Response
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor() {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller
      },
    })
    this.response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  send(number: number, line: string): void {
    this.#write(`id: ${number}\ndata: ${time} ${line}\n\n`)
  }

  end(): void {
    this.#write('event: end\ndata: \n\n')
  }

  #write(text: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(text))
  }
}

async function setup(t: TestContext, count = 2) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const page = new HookPage(t)
  const stream = new LogStream()
  page.server.answer(getApiJobLogLines, () => stored(count))
  page.server.answer(getApiJobLog, () => stream.response)
  const hook = await page.render((uuid: string) => useJobLog(uuid), 'job-1')
  const tick = (ms: number): Promise<void> => hook.act(() => t.mock.timers.tick(ms))
  return { page, stream, hook, tick }
}

test('a log is followed after the lines that are stored', async (t) => {
  const { page, hook } = await setup(t)
  assert.equal(hook.current.pages.count, 2)
  assert.deepEqual(
    page.server.inputsOf(getApiJobLog).map(({ follow, timestamps }) => [follow, timestamps]),
    [['true', 'true']],
  )
})

test('lines that arrive together are shown together, with their numbers and times', async (t) => {
  const { stream, hook, tick } = await setup(t)
  stream.send(3, 'three')
  stream.send(4, 'four: 4')
  await settle()
  assert.equal(hook.current.pages.count, 2)
  await tick(100)
  assert.equal(hook.current.pages.count, 4)
  assert.deepEqual(hook.current.pages.line(3), { number: 3, time, line: 'three' })
  assert.deepEqual(hook.current.pages.line(4), { number: 4, time, line: 'four: 4' })
  stream.send(5, 'five')
  await settle()
  await tick(100)
  assert.equal(hook.current.pages.count, 5)
})

test('the end of the job is not an error', async (t) => {
  const { stream, hook } = await setup(t)
  stream.end()
  await settle()
  assert.deepEqual([hook.current.error, hook.current.isReconnecting], [undefined, false])
})

test('a log that may not be read is an error', async (t) => {
  const page = new HookPage(t)
  page.server.fail(getApiJobLogLines)
  page.server.fail(getApiJobLog)
  const hook = await page.render(() => useJobLog('job-1'))
  assert.match(String(hook.current.error), /failed/)
})

test('another job starts with an empty log', async (t) => {
  const { page, stream, hook, tick } = await setup(t)
  stream.send(3, 'of the first job')
  await settle()
  page.server.answer(getApiJobLogLines, () => stored(1))
  page.server.answer(getApiJobLog, () => new LogStream().response)
  await hook.rerender('job-2')
  await tick(100)
  assert.equal(hook.current.pages.count, 1)
})
