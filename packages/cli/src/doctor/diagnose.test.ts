import { strict as assert } from 'node:assert'
import { chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { MovingClock, TestServer } from '@wharf/testkit'
import { Profiles } from '../settings/profiles.ts'
import { environmentOf, freshHome, runCaptured } from '../testing/captured-io.ts'
import { closedAddress } from '../testing/closed-address.ts'
import type { Finding } from './diagnose.ts'

const clockWarning = 'the clock of this node is 90 s ahead of the database'

test('doctor finds problems and prints remedies', async (t) => {
  const server = await TestServer.start(t)
  const env = environmentOf(server.bootstrap)
  const otherServer = createServer((request, response) => {
    const isLate = request.url?.startsWith('/late')
    const late = new Date(Date.now() - 3_600_000).toUTCString()
    const headers = { 'content-type': 'application/json', 'x-request-id': 'x', date: late }
    const now = { ...headers, date: new Date().toUTCString() }
    if (request.url?.startsWith('/warns'))
      response.writeHead(200, now).end(JSON.stringify({ warnings: [clockWarning] }))
    else if (request.url?.startsWith('/refuses'))
      response.writeHead(503, now).end(JSON.stringify({ error: { details: clockWarning } }))
    else response.writeHead(200, isLate ? headers : {}).end('{}')
  })
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve))
  t.after(() => void otherServer.close())
  const otherUrl = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`

  const closed = await closedAddress()

  const rows: { name: string; env: Record<string, string>; failed: string[]; output: RegExp }[] = [
    { name: 'no problems', env, failed: [], output: /this machine and the server have the same time.*accepted/s },
    { name: 'no server', env: {}, failed: ['settings'], output: /wharf login/ },
    {
      name: 'no server listening',
      env: { ...env, WHARF_URL: closed },
      failed: ['address'],
      output: /no server is listening/,
    },
    {
      name: 'another server',
      env: { ...env, WHARF_URL: otherUrl },
      failed: ['address'],
      output: /not a response of a Wharf server/,
    },
    {
      name: 'the wrong path',
      env: { ...env, WHARF_URL: `${otherUrl}/v2` },
      failed: ['address'],
      output: /such as \/wharf/,
    },
    {
      name: 'a wrong clock',
      env: { WHARF_URL: `${otherUrl}/late` },
      failed: ['clock', 'credential'],
      output: /360[01] s ahead of/,
    },
    {
      name: 'a warning of the server',
      env: { WHARF_URL: `${otherUrl}/warns` },
      failed: ['credential'],
      output: new RegExp(`"warning",\\s*"found": "${clockWarning}"`),
    },
    {
      name: 'a server that is not ready',
      env: { WHARF_URL: `${otherUrl}/refuses` },
      failed: ['address', 'credential'],
      output: new RegExp(`not ready \\(503\\): ${clockWarning}`),
    },
    { name: 'no credential', env: { WHARF_URL: server.url }, failed: ['credential'], output: /wharf login --url/ },
    {
      name: 'a wrong credential',
      env: { ...env, WHARF_ACCESS_KEY_SECRET: 'wrong' },
      failed: ['credential'],
      output: /ID\.1000/,
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
      assert.match(stdout, row.output)
      assert.equal(code, row.failed.length > 0 ? 1 : 0)
      for (const { result, remedy } of findings) assert.equal(remedy === undefined, result === 'ok')
      assert.equal((await runCaptured(['doctor'], { env: row.env })).code, code)
    })

  await t.test('secrets that other users can read', async () => {
    const home = freshHome(t)
    const profiles = new Profiles({ env: {}, home })
    profiles.save('one', { url: server.url }, { session: 'x' })
    chmodSync(profiles.credentialsPath, 0o640)
    assert.match((await runCaptured(['doctor'], { env, home })).stdout, /warning +secrets .*\n +chmod 600/)
  })
})

test('a command works with a clock that is an hour off', async (t) => {
  const clock = new MovingClock(Date.now() + 3_600_000)
  const server = await TestServer.start(t, { clock })
  const { code, stderr } = await runCaptured(['host', 'list'], { env: environmentOf(server.bootstrap) })
  assert.equal(code, 0, stderr)
})
