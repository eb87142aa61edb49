import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { JobWorkers, TestServer, trialWith } from '@wharf/testkit'
import { type Step, step } from './definition.ts'

const secret = 'a-password-that-a-command-repeats'

interface Script {
  secret: string
  unexpected: boolean
}

/** Fails with the secret in every text of its error. */
const leak = step<Script, { names: string }>('repeat', async ({ input, conceal }) => {
  conceal(input.secret)
  const text = `login failed for ${input.secret}`
  if (input.unexpected) throw Object.assign(new Error(text, { cause: new Error(text) }), { command: text })
  throw new ApiError('SYS.1016', text, { cause: new ApiError('HOST.1005', text) })
})

const server = await TestServer.start({ after }, { extend: trialWith([leak]) })
const run = (unexpected: boolean) =>
  server.admin.post('/v1/demo-jobs', { params: { script: JSON.stringify({ secret, unexpected }) } })

test('a failure contains its causes with their secrets masked', async () => {
  const { body, text } = await run(false)
  assert.equal(body.error?.code, 'SYS.1016')
  assert.match(body.error?.details ?? '', /^login failed for \[secret\]/)
  assert.equal(body.error?.cause?.details, 'login failed for [secret]')
  assert.ok(!text.includes(secret))
})

test('an unexpected error is in the log of the server with its secrets masked', async () => {
  const { body } = await run(true)
  assert.equal(body.error?.code, 'SYS.1000')
  assert.match(server.logText, /a job step threw/)
  assert.match(server.logText, /login failed for \[secret\]/)
  assert.ok(!server.logText.includes(secret))
})

test('no job log contains the secret', async () => {
  const jobs = (await server.admin.get('/v1/api-jobs')).body.inventories as { uuid: string }[]
  for (const { uuid } of jobs) {
    const { text } = await server.admin.get(`/v1/api-jobs/${uuid}/log`)
    assert.match(text, /failed: /)
    assert.ok(!text.includes(secret))
  }
})

test('a secret that one step conceals is masked in the next, also in another process', async (t) => {
  const workers = await JobWorkers.open(t)
  const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----'
  const steps = (last: Step<unknown, unknown>['run'], undo?: Step<unknown, unknown>['undo']) => [
    step('one', async ({ conceal }) => conceal(key), { undo }),
    step('two', last),
  ]
  const reached = Promise.withResolvers<void>()
  const first = await workers.start(
    steps(async ({ signal }) => {
      reached.resolve()
      await delay(10_000, undefined, { signal })
    }),
  )
  const uuid = await first.submit()
  await reached.promise
  await first.stop()
  const second = await workers.start(
    steps(
      async ({ log }) => {
        log(`the key is ${key}`)
        throw new ApiError('SYS.1016', 'refused: MIIEvQIBADANBg')
      },
      async ({ log }) => log('undone with MIIEvQIBADANBg'),
    ),
  )
  const row = await second.end(uuid)
  assert.equal(row.failure?.details, 'refused: [secret]')
  const lines = (await workers.log(uuid)).join('\n')
  assert.match(lines, /the key is \[secret\][\s\S]*undone with \[secret\]/)
  assert.doesNotMatch(lines, /MIIEvQ/)
})
