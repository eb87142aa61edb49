import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { installable, PackageFixture, TrialTrace, trialOperations } from '@wharf/testkit'
import { exitCodes } from './exit-codes.ts'
import { run } from './run.ts'
import { CapturedIo, environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'
import { closedAddress } from './testing/closed-address.ts'
import { interceptingServer } from './testing/intercepting-server.ts'

const page = (): Response =>
  new Response('<h1>not found</h1>', { status: 404, headers: { 'content-type': 'text/html' } })

test('failures between the command and the server', async (t) => {
  const fixture = await PackageFixture.start(t, { extend: trialOperations })
  const { bootstrap } = fixture.server
  const env = environmentOf(bootstrap)
  const file = join(fixture.folder, 'file.tar')
  writeFileSync(file, installable())
  const upload = ['package', 'upload', file, '--type', 'demo', '--backup-storage', '--cancel-on-interrupt']

  await t.test('Ctrl-C cancels the job of a complete upload and waits until it is undone', async () => {
    const trace = new TrialTrace(t)
    const script = JSON.stringify({ trace: trace.file, holdAt: 'run second' })
    const { body } = await fixture.admin.post('/v1/demo-jobs', { params: { script } }, { prefer: 'respond-async' })
    const uuid = new URL(String(body.location)).pathname.split('/').at(-1) ?? ''
    // replaces the upload's own job, which would end too soon
    const url = await interceptingServer(t, bootstrap.url, (_, path) =>
      path.includes('subjectUuid') ? Response.json({ inventories: [{ uuid }], success: true, error: null }) : undefined,
    )
    const io = new CapturedIo({ env: { ...env, WHARF_URL: url }, columns: 80 })
    const ended = run(upload, io)
    for (let tries = 0; tries < 500 && !io.stderrText.includes('on the server'); tries++) await delay(10)
    io.interrupt()
    assert.equal(await ended, exitCodes.cancelled, io.stderrText)
    assert.match(io.stderrText, new RegExp(`Aborting the upload[\\s\\S]*SYS\\.1017[\\s\\S]*job ${uuid}`))
    assert.doesNotMatch(io.stderrText, /\n {4}at /)
    assert.deepEqual(trace.lines, ['run first', 'undo second', 'undo first'])
  })

  await t.test('Ctrl-C aborts an upload that is being sent', async () => {
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
    assert.match(io.stderrText, /upload aborted; the server kept nothing/)
    const { stdout } = await runCaptured(['package', 'list', '--query', 'name=slow', '--json'], { env })
    assert.equal(JSON.parse(stdout)[0].status, 'UploadFailed')
  })

  for (const [name, lostResponses, code] of [
    ['creates another access key when the response is lost', 1, exitCodes.ok],
    ['fails when the second response is lost too', 2, exitCodes.failed],
  ] as const)
    await t.test(name, async () => {
      let lost = 0
      const seen = new Set<string>()
      const home = freshHome(t)
      const url = await interceptingServer(t, bootstrap.url, (method, path) => {
        // the retry of a lost call is forwarded
        const isNew = method === 'POST' && path.includes('accesskeys') && !seen.delete(path)
        if (!isNew || lost >= lostResponses) return undefined
        lost++
        seen.add(path)
        return 'lost'
      })
      const keys = async (): Promise<number> =>
        JSON.parse((await runCaptured(['key', 'list', '--json'], { env })).stdout).length
      const before = await keys()
      const options = { home, input: bootstrap.password }
      const argv = ['login', '--url', url, '--create-key', '--password-stdin']
      const { code: exitCode, stderr } = await runCaptured(argv, options)
      assert.equal(exitCode, code, stderr)
      assert.match(stderr, /the response with the secret of access key \w+ was lost/)
      assert.equal(await keys(), before + (code === exitCodes.ok ? 1 : 0))
      assert.equal((await runCaptured(['host', 'list'], { home })).code === exitCodes.ok, code === exitCodes.ok)
    })

  const job = '0'.repeat(32)
  for (const argv of [['events'], ['job', 'log', '-f', job]]) {
    const command = argv.slice(0, 2).join(' ')
    await t.test(`${command} fails without a server`, async () => {
      const { code, stderr } = await runCaptured(argv, { env: { ...env, WHARF_URL: await closedAddress() } })
      assert.equal(code, exitCodes.failed)
      assert.match(stderr, /cannot reach/)
    })
    await t.test(`${command} fails at another server`, async () => {
      const url = await interceptingServer(t, bootstrap.url, page)
      const { code, stderr } = await runCaptured(argv, { env: { ...env, WHARF_URL: url } })
      assert.equal(code, exitCodes.failed)
      assert.match(stderr, /responded with 404, which is not a response of a Wharf server/)
    })
  }

  await t.test('events reconnects and reports the outage', async () => {
    let streams = 0
    const url = await interceptingServer(t, bootstrap.url, () =>
      streams++ === 0 || streams > 5
        ? new Response(`id: ${streams}\ndata: {"type":"Created","resourceType":"Tag"}\n\n`, {
            headers: { 'content-type': 'text/event-stream' },
          })
        : new Response('', { status: 502 }),
    )
    const { code, stderr } = await runCaptured(['events', '--limit', '2'], { env: { ...env, WHARF_URL: url } })
    assert.equal(code, exitCodes.ok, stderr)
    assert.match(stderr, /Interrupted: .* responded with 502.*; retrying until Ctrl-C\.\nReconnected\.\n$/)
  })

  for (const [language, hint] of [
    ['en_GB.UTF-8', /Hint: .*wharf login.*wharf doctor/],
    ['zh_CN.UTF-8', /原因与处理办法: \p{Script=Han}.*wharf login.*wharf doctor/u],
  ] as const)
    await t.test(`a refused credential is explained in ${language}`, async () => {
      const wrong = { ...env, WHARF_ACCESS_KEY_SECRET: 'wrong', LANG: language }
      const { code, stderr } = await runCaptured(['host', 'list'], { env: wrong })
      assert.equal(code, exitCodes.notSignedIn)
      assert.match(stderr, hint)
    })
})
