import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { TestServer, TrialTrace, trialOperations } from '@wharf/testkit'
import { environmentOf, freshHome, runCaptured } from '../../testing/captured-io.ts'

test('jobs', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const env = environmentOf(server.bootstrap)
  const home = freshHome(t)
  const wharf = (...argv: string[]) => runCaptured(argv, { env, home })
  const start = async (more: object = {}) => {
    const trace = new TrialTrace(t)
    const script = JSON.stringify({ trace: trace.file, ...more })
    const { body } = await server.admin.post('/v1/demo-jobs', { params: { script } }, { prefer: 'respond-async' })
    return { trace, uuid: new URL(String(body.location)).pathname.split('/').at(-1) ?? '' }
  }
  const succeeded = await start()
  assert.equal((await wharf('job', 'wait', succeeded.uuid, '--quiet')).code, 0)
  const failed = await start({ failAt: 'run second' })
  assert.equal((await wharf('job', 'wait', failed.uuid, '--quiet')).code, 1)
  const running = await start({ holdAt: 'run second' })

  await t.test('are listed with what, by whom and how long', async () => {
    const { stdout } = await wharf('job', 'list')
    const [titles, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    assert.deepEqual(titles, ['ID', 'JOB', 'STATE', 'USER', 'DURATION', 'AGE'])
    assert.deepEqual(
      rows.map(([id, , state, user]) => [id, state, user]),
      [
        [running.uuid.slice(0, 8), 'Running', 'admin'],
        [failed.uuid.slice(0, 8), 'Failed', 'admin'],
        [succeeded.uuid.slice(0, 8), 'Succeeded', 'admin'],
      ],
    )
    for (const [, , , , duration, age] of rows) assert.match(`${duration} ${age}`, /^0:\d\d \d+s$/)
  })

  for (const [option, expected] of [
    ['--failed', failed],
    ['--active', running],
  ] as const)
    await t.test(`are filtered by ${option}`, async () =>
      assert.equal((await wharf('job', 'list', option, '--mine', '-o', 'name')).stdout, `${expected.uuid}\n`),
    )

  await t.test('are filtered by text', async () => {
    assert.equal((await wharf('job', 'list', '--search', 'no_such%text')).stderr, 'No jobs.\n')
  })

  await t.test('are found by the first digits of their uuid', async () => {
    const { stdout } = await wharf('job', 'show', failed.uuid.slice(0, 8))
    assert.match(stdout, /^state +Failed$/m)
    assert.match(stdout, /^reason +SYS\.1016 [\s\S]*run second fails as scripted/m)
    assert.match(stdout, /^user +admin$/m)
    assert.match(stdout, new RegExp(`^uuid +${failed.uuid}$`, 'm'))
    assert.match((await wharf('job', 'log', succeeded.uuid.slice(0, 10))).stdout, /^run first$/m)
    assert.match((await wharf('job', 'show', '0000')).stderr, /no job 0000/)
    assert.match((await wharf('job', 'show', 'x')).stderr, /no job x/)
  })

  await t.test('are cancelled, several at once', async () => {
    const { code, stderr } = await wharf('job', 'cancel', running.uuid.slice(0, 8), succeeded.uuid)
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`Cancelling\\. Wait for the result: wharf job wait ${running.uuid}`))
    assert.match(stderr, /1 of 2 failed/)
    assert.equal((await wharf('job', 'wait', running.uuid, '--quiet')).code, 3)
  })
})
