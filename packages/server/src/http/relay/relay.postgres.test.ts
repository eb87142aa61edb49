import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { type Answer, assertFailure, type Client, rawCall, TestNodes, testEngine } from '@wharf/testkit'
import { Hops, hopHeader } from './relay-hop.ts'

/** Calls at the first node for what the second one has. Only PostgreSQL can be shared. */
if (testEngine === 'postgres') {
  const { servers, admins } = await TestNodes.start({ after }, 2, [
    { environment: { WHARF_TRUSTED_PROXIES: '127.0.0.1' } },
  ])
  const [first, second] = servers as [(typeof servers)[0], (typeof servers)[0]]
  const [admin, adminThere] = admins as [(typeof admins)[0], (typeof admins)[0]]
  const there = second.bootstrap
  const usage = (nodeUuid: string, folder = '/') =>
    `/v1/software-package/directory/usage?managementNodeUuid=${nodeUuid}&directoryPath=${folder}`

  const inventoryOf = ({ body }: Answer) => body.inventory as Record<string, unknown>
  const hasHandedOn = (requestId: string | null) => {
    const line = first.logText.split('\n').find((text) => text.includes(`"requestId":"${requestId}"`))
    return line?.includes(there.managementNodeUuid) ?? false
  }

  const upload = (more: object = {}) => ({
    params: {
      name: 'hello',
      type: 'hello',
      url: 'upload://hello.tar?size=4',
      installPath: `/tmp/wharf-relay-${randomBytes(4).toString('hex')}`,
      hostUuid: there.hostUuid,
      managementNodeUuid: there.managementNodeUuid,
      ...more,
    },
  })

  test('each node publishes the URL for the others', async () => {
    const { body } = await admin.get('/v1/management-nodes?sort=createDate')
    const nodes = body.inventories as { url: string; status: string }[]
    assert.deepEqual(
      nodes.map(({ url, status }) => ({ url, status })),
      servers.map(({ url }) => ({ url, status: 'Alive' })),
    )
  })

  test('a call for another node gets the response of that node', async () => {
    const direct = await adminThere.get(usage(there.managementNodeUuid))
    const answer = await admin.get(usage(there.managementNodeUuid))
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.totalCapacity, direct.body.totalCapacity)
    assert.ok(hasHandedOn(answer.headers.get('x-request-id')))
    assert.match(second.logText, new RegExp(`"requestId":"${answer.headers.get('x-request-id')}"`))
    for (const name of ['content-type', 'cache-control'])
      assert.equal(answer.headers.get(name), direct.headers.get(name), name)
  })

  test('its refusals are forwarded, with one request id on both nodes', async () => {
    const answer = await admin.get(usage(there.managementNodeUuid, 'relative'))
    assertFailure(answer, { status: 400, code: 'SoftwarePackage.1131' })
    const unknown = await admin.get(usage('f'.repeat(32)))
    assertFailure(unknown, { status: 404, code: 'SYS.1003' })
  })

  test('both nodes log the caller that the first one sees behind its proxy', async () => {
    const proxied = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'wharf.example.com',
    }
    const answer = await admin.post('/v1/software-packages/upload', upload(), proxied)
    assert.match(String(answer.body.systemTags), /^uploadUrl::https:\/\/wharf\.example\.com\/wharf\/v1\/uploads\//)
    const id = answer.headers.get('x-request-id')
    for (const { logText } of servers) {
      const line = logText.split('\n').find((one) => one.includes(`"requestId":"${id}"`)) ?? ''
      assert.equal(JSON.parse(line).source, '203.0.113.9')
    }
  })

  test('an action on the machine of the other node runs on that node', async () => {
    const reconnected = await admin.put(`/v1/hosts/${there.hostUuid}/actions`, { reconnectHost: {} })
    assert.equal(reconnected.status, 200, reconnected.text)
    assert.equal(inventoryOf(reconnected).managementNodeUuid, there.managementNodeUuid)
    assert.ok(hasHandedOn(reconnected.headers.get('x-request-id')))
  })

  test('returned URLs refer to the called node', async () => {
    const answer = await admin.post('/v1/software-packages/upload', upload())
    assert.equal(answer.status, 200, answer.text)
    const [tag] = answer.body.systemTags as string[]
    assert.ok(tag?.startsWith(`uploadUrl::${first.url}/v1/uploads/`), answer.text)
  })

  test('an idempotency key is valid at every node: the same response and one effect', async () => {
    const body = upload()
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') }
    const answers = await Promise.all(
      [admin, adminThere, admin, adminThere].map((client) =>
        client.post('/v1/software-packages/upload', body, headers),
      ),
    )
    assert.deepEqual(
      new Set(answers.map(({ status }) => status)),
      new Set([200]),
      answers.map(({ text }) => text).join(),
    )
    assert.equal(new Set(answers.map((answer) => inventoryOf(answer).uuid)).size, 1)
    const other = await admin.post('/v1/software-packages/upload', upload(), headers)
    assertFailure(other, { status: 409, code: 'JOB.1002' })
  })

  test('a client of the job protocol reads the failure of the other node at its job, at any node', async () => {
    const jobUuid = randomBytes(16).toString('hex')
    const body = upload({ installPath: '/etc/passwd' })
    const answer = await admin.post('/v1/software-packages/upload', body, { 'x-job-uuid': jobUuid })
    assert.equal(answer.status, 202, answer.text)
    const location = String(answer.body.location)
    assert.ok(location.startsWith(`${first.url}/v1/api-jobs/${jobUuid}?token=`), location)
    for (const { anonymous, url } of servers) {
      const polled = await anonymous.get(location.slice(first.url.length))
      assertFailure(polled, { status: 503, code: 'SoftwarePackage.1131' })
      assert.ok(url)
    }
  })

  test('a call that no single node can run is rejected by the second, and not forwarded again', async () => {
    const body = upload({ hostUuid: first.bootstrap.hostUuid })
    const answer = await admin.post('/v1/software-packages/upload', body)
    assertFailure(answer, { status: 502, code: 'SYS.1012' })
    assert.match(answer.body.error?.details ?? '', /the other resources of this call are not on that node/)
  })

  test('the other node authenticates the caller again', async () => {
    const hops = new Hops(first.app.foundation.sealing, Date.now)
    const path = `/v1/hosts/${there.hostUuid}/actions`
    const hop = { requestId: randomBytes(16).toString('hex'), source: '203.0.113.9', protocol: 'http', host: 'a' }
    const handedOn = (as: Client) =>
      rawCall(second.url, {
        method: 'PUT',
        path,
        body: '{"reconnectHost":{}}',
        headers: {
          'content-type': 'application/json',
          [hopHeader]: hops.write({ method: 'PUT', target: path }, hop),
          ...as.authorization('PUT', path),
        },
      })
    const answer = await handedOn(adminThere)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('x-request-id'), hop.requestId, 'the second node believes the first')
    assertFailure(await handedOn(await first.signIn('reader')), { status: 403, code: 'ID.1002' })
    assertFailure(await handedOn(first.anonymous), { status: 401, code: 'ID.1001' })
  })
}
