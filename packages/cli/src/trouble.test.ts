import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { installable, PackageWorld, TrialTrace, trialOperations } from '@wharf/testkit'
import { exitCodes } from './exit-codes.ts'
import { run } from './run.ts'
import { alteringServer } from './testing/altering-server.ts'
import { CapturedIo, environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'
import { closedAddress } from './testing/closed-address.ts'

const page = (): Response => new Response('<h1>nope</h1>', { status: 404, headers: { 'content-type': 'text/html' } })

test('what goes wrong between the command and the server', async (t) => {
  const world = await PackageWorld.start(t, { extend: trialOperations })
  const { bootstrap } = world.server
  const env = environmentOf(bootstrap)
  const file = join(world.folder, 'file.tar')
  writeFileSync(file, installable())
  const upload = ['package', 'upload', file, '--type', 'demo', '--backup-storage', '--cancel-on-interrupt']

  await t.test(
    'Ctrl-C cancels the job of an upload whose bytes are all there, and waits until it is undone',
    async () => {
      const trace = new TrialTrace(t)
      const script = JSON.stringify({ trace: trace.file, holdAt: 'run second' })
      const { body } = await world.admin.post('/v1/demo-jobs', { params: { script } }, { prefer: 'respond-async' })
      const uuid = new URL(String(body.location)).pathname.split('/').at(-1) ?? ''
      // a job that stands still takes the place of its own, which would be over too soon
      const url = await alteringServer(t, bootstrap.url, (_, path) =>
        path.includes('subjectUuid')
          ? Response.json({ inventories: [{ uuid }], success: true, error: null })
          : undefined,
      )
      const io = new CapturedIo({ env: { ...env, WHARF_URL: url }, columns: 80 })
      const ended = run(upload, io)
      for (let tries = 0; tries < 500 && !io.stderrText.includes('on the server'); tries++) await delay(10)
      io.interrupt()
      assert.equal(await ended, exitCodes.cancelled, io.stderrText)
      assert.match(io.stderrText, new RegExp(`Cancelling[\\s\\S]*SYS\\.1017[\\s\\S]*job ${uuid}`))
      assert.doesNotMatch(io.stderrText, /\n {4}at /)
      assert.deepEqual(trace.lines, ['run first', 'undo second', 'undo first'])
    },
  )

  await t.test('Ctrl-C gives up an upload that is being sent', async () => {
    const io = new CapturedIo({ env })
    io.inputStream = async function* () {
      yield Buffer.from('some bytes')
      await delay(20_000, undefined, { ref: false })
    }
    const ended = run([...upload.with(2, '-'), '--name', 'slow'], io)
    for (let tries = 0; tries < 500 && !io.isListening; tries++) await delay(10)
    await delay(200)
    io.interrupt()
    assert.equal(await ended, exitCodes.cancelled, io.stderrText)
    assert.match(io.stderrText, /the upload was given up; nothing of it is kept/)
    const { stdout } = await runCaptured(['package', 'list', '--query', 'name=slow', '--json'], { env })
    assert.equal(JSON.parse(stdout)[0].status, 'UploadFailed')
  })

  for (const [how, lostAnswers, code] of [
    ['made again when its answer was lost', 1, exitCodes.ok],
    ['none at all when that goes on', 2, exitCodes.failed],
  ] as const)
    await t.test(`a key is ${how}`, async () => {
      let lost = 0
      const seen = new Set<string>()
      const home = freshHome(t)
      const url = await alteringServer(t, bootstrap.url, (method, path) => {
        // the repetition of a call that was lost comes through
        const isNew = method === 'POST' && path.includes('accesskeys') && !seen.delete(path)
        if (!isNew || lost >= lostAnswers) return undefined
        lost++
        seen.add(path)
        return 'lost'
      })
      const keys = async (): Promise<number> =>
        JSON.parse((await runCaptured(['key', 'list', '--json'], { env })).stdout).length
      const before = await keys()
      const world = { home, input: bootstrap.password }
      const argv = ['login', '--url', url, '--create-key', '--password-stdin']
      const { code: ended, stderr } = await runCaptured(argv, world)
      assert.equal(ended, code, stderr)
      assert.match(stderr, /the answer with the secret of access key \w+ was lost/)
      assert.equal(await keys(), before + (code === exitCodes.ok ? 1 : 0))
      assert.equal((await runCaptured(['host', 'list'], { home })).code === exitCodes.ok, code === exitCodes.ok)
    })

  const job = '0'.repeat(32)
  for (const argv of [['events'], ['job', 'log', '-f', job]]) {
    const words = argv.slice(0, 2).join(' ')
    await t.test(`${words} ends where no server is`, async () => {
      const { code, stderr } = await runCaptured(argv, { env: { ...env, WHARF_URL: await closedAddress() } })
      assert.equal(code, exitCodes.failed)
      assert.match(stderr, /cannot be reached/)
    })
    await t.test(`${words} ends where another server is`, async () => {
      const url = await alteringServer(t, bootstrap.url, page)
      const { code, stderr } = await runCaptured(argv, { env: { ...env, WHARF_URL: url } })
      assert.equal(code, exitCodes.failed)
      assert.match(stderr, /answered 404, which is no answer of a Wharf server/)
    })
  }

  await t.test('a server that goes away while it is followed is waited for, which is said', async () => {
    let streams = 0
    const url = await alteringServer(t, bootstrap.url, () =>
      streams++ === 0 || streams > 5
        ? new Response(`id: ${streams}\ndata: {"type":"Created","resourceType":"Tag"}\n\n`, {
            headers: { 'content-type': 'text/event-stream' },
          })
        : new Response('', { status: 502 }),
    )
    const { code, stderr } = await runCaptured(['events', '--limit', '2'], { env: { ...env, WHARF_URL: url } })
    assert.equal(code, exitCodes.ok, stderr)
    assert.match(stderr, /answered 502.*; trying again until Ctrl-C\.\nThe server is there again\.\n$/)
  })

  for (const [language, words] of [
    ['en_GB.UTF-8', /Why, and what to do: .*wharf login.*wharf doctor/],
    ['zh_CN.UTF-8', /原因与处理办法: \p{Script=Han}.*wharf login.*wharf doctor/u],
  ] as const)
    await t.test(`a credential that is refused is explained without asking with it again, in ${language}`, async () => {
      const wrong = { ...env, WHARF_ACCESS_KEY_SECRET: 'wrong', LANG: language }
      const { code, stderr } = await runCaptured(['host', 'list'], { env: wrong })
      assert.equal(code, exitCodes.notSignedIn)
      assert.match(stderr, words)
    })
})
