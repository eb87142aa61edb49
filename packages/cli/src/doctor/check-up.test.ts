import { strict as assert } from 'node:assert'
import { chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { MovingClock, TestServer } from '@wharf/testkit'
import { Profiles } from '../settings/profiles.ts'
import { environmentOf, freshHome, runCaptured } from '../testing/captured-io.ts'
import { closedAddress } from '../testing/closed-address.ts'
import type { Finding } from './check-up.ts'

const clockIsOff = 'the clock of this node is 90 s ahead of the database'

test('the doctor finds what is wrong, and says what to do', async (t) => {
  const server = await TestServer.start(t)
  const env = environmentOf(server.bootstrap)
  const stranger = createServer((request, response) => {
    const isLate = request.url?.startsWith('/late')
    const late = new Date(Date.now() - 3_600_000).toUTCString()
    const headers = { 'content-type': 'application/json', 'x-request-id': 'x', date: late }
    const now = { ...headers, date: new Date().toUTCString() }
    if (request.url?.startsWith('/warns')) response.writeHead(200, now).end(JSON.stringify({ warnings: [clockIsOff] }))
    else if (request.url?.startsWith('/refuses'))
      response.writeHead(503, now).end(JSON.stringify({ error: { details: clockIsOff } }))
    else response.writeHead(200, isLate ? headers : {}).end('{}')
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  t.after(() => void stranger.close())
  const strange = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`

  const closed = await closedAddress()

  const rows: { name: string; env: Record<string, string>; failed: string[]; says: RegExp }[] = [
    { name: 'all is well', env, failed: [], says: /this machine and the server agree.*is accepted/s },
    { name: 'no server', env: {}, failed: ['settings'], says: /wharf login/ },
    {
      name: 'nobody there',
      env: { ...env, WHARF_URL: closed },
      failed: ['address'],
      says: /no server listens there/,
    },
    {
      name: 'another server',
      env: { ...env, WHARF_URL: strange },
      failed: ['address'],
      says: /no answer of a Wharf server/,
    },
    {
      name: 'the wrong path',
      env: { ...env, WHARF_URL: `${strange}/v2` },
      failed: ['address'],
      says: /such as \/wharf/,
    },
    {
      name: 'a clock that is off',
      env: { WHARF_URL: `${strange}/late` },
      failed: ['clock', 'credential'],
      says: /360[01] s ahead of/,
    },
    {
      name: 'a node whose clock is off',
      env: { WHARF_URL: `${strange}/warns` },
      failed: ['credential'],
      says: new RegExp(`"warning",\\s*"found": "${clockIsOff}"`),
    },
    {
      name: 'a node whose clock is far off',
      env: { WHARF_URL: `${strange}/refuses` },
      failed: ['address', 'credential'],
      says: new RegExp(`not ready \\(503\\): ${clockIsOff}`),
    },
    { name: 'no credential', env: { WHARF_URL: server.url }, failed: ['credential'], says: /wharf login --url/ },
    {
      name: 'a wrong one',
      env: { ...env, WHARF_ACCESS_KEY_SECRET: 'wrong' },
      failed: ['credential'],
      says: /ID\.1000/,
    },
  ]
  for (const row of rows)
    await t.test(row.name, async () => {
      const { code, stdout } = await runCaptured(['doctor', '--json'], { env: row.env })
      const findings = JSON.parse(stdout) as Finding[]
      assert.deepEqual(
        findings.filter(({ result }) => result === 'failed').map(({ check }) => check),
        row.failed,
      )
      assert.match(stdout, row.says)
      assert.equal(code, row.failed.length > 0 ? 1 : 0)
      for (const { result, remedy } of findings) assert.equal(remedy === undefined, result === 'ok')
      assert.equal((await runCaptured(['doctor'], { env: row.env })).code, code)
    })

  await t.test('secrets that others can read', async () => {
    const home = freshHome(t)
    const profiles = new Profiles({ env: {}, home })
    profiles.save('one', { url: server.url }, { session: 'x' })
    chmodSync(profiles.credentialsPath, 0o640)
    assert.match((await runCaptured(['doctor'], { env, home })).stdout, /look +secrets .*\n +chmod 600/)
  })
})

test('a clock an hour off does not stop the command', async (t) => {
  const clock = new MovingClock(Date.now() + 3_600_000)
  const server = await TestServer.start(t, { clock })
  const { code, stderr } = await runCaptured(['host', 'list'], { env: environmentOf(server.bootstrap) })
  assert.equal(code, 0, stderr)
})
