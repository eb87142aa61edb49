import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  assertFailure,
  TestNodes,
  testEngine,
  tusAnswer,
  tusCall,
  tusCut,
  tusHead,
  tusOffset,
  tusPatch,
  tusStart,
} from '@wharf/testkit'

const MiB = 2 ** 20

/** An upload of the second node, filled through the first. Only PostgreSQL can be shared. */
if (testEngine === 'postgres') {
  const { servers, admins } = await TestNodes.start({ after }, 2)
  const [first, second] = servers as [(typeof servers)[0], (typeof servers)[0]]
  const [admin] = admins as [(typeof admins)[0]]
  const { hostUuid, managementNodeUuid } = second.bootstrap

  /** Its address at the node that does not have it, and at the one that has. */
  async function open(size?: number, more = '', headers: Record<string, string> = {}) {
    const installPath = `/tmp/wharf-slices-${randomBytes(6).toString('hex')}`
    after(() => rm(installPath, { force: true }))
    const url = `upload://file${size === undefined ? '' : `?size=${size}${more}`}`
    const params = { name: 'slices', type: 'slices', url, installPath, hostUuid, managementNodeUuid }
    const answer = await admin.post('/v1/software-packages/upload', { params }, headers)
    assert.equal(answer.status, 200, answer.text)
    const here = String(answer.body.systemTags).slice('uploadUrl::'.length)
    const { uuid } = answer.body.inventory as { uuid: string }
    return { here, there: here.replace(first.url, second.url), installPath, uuid }
  }

  async function untilUploaded(uuid: string) {
    for (let tries = 0; tries < 1000; tries++) {
      const { inventories } = (await admin.get(`/v1/software-package/${uuid}`)).body
      const [row] = inventories as { status: string; md5sum: string }[]
      if (row?.status !== 'Uploading') return row
      await delay(20)
    }
    throw new Error('it is still Uploading')
  }

  test('alternating slices at both nodes make one file', async () => {
    const bytes = randomBytes(5 * MiB)
    const { here, there, installPath, uuid } = await open(bytes.length)
    for (const [at, url] of [here, there, here, there, here].entries()) {
      const answer = await tusPatch(url, at * MiB, bytes.subarray(at * MiB, (at + 1) * MiB))
      assert.equal(answer.status, 204, answer.text)
      assert.equal(answer.headers.get('upload-offset'), String((at + 1) * MiB))
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    }
    const row = await untilUploaded(uuid)
    assert.equal(row?.md5sum, createHash('md5').update(bytes).digest('hex'))
    assert.ok(bytes.equals(await readFile(installPath)))
  })

  test('when its user is deleted at the other node, an upload ends and its bytes are removed', async () => {
    const leaver = await first.signIn('admin')
    const { here, there } = await open(2 * MiB, '', leaver.authorization('POST', '/v1/software-packages/upload'))
    assert.equal((await tusPatch(here, 0, Buffer.alloc(MiB))).status, 204)
    const file = join(second.environment.WHARF_DATA ?? '', 'uploads', basename(new URL(here).pathname))
    assert.equal((await stat(file)).size, MiB)
    const slow = await tusStart(there, MiB, MiB, Buffer.alloc(10))
    const refused = tusAnswer(slow)
    await delay(50)
    assert.equal((await admin.delete(`/v1/accounts/${leaver.accountUuid}`)).status, 200)
    assert.equal((await refused).status, 410, 'also the one that is coming')
    for (const url of [here, there]) assert.equal((await tusPatch(url, MiB, Buffer.alloc(0))).status, 410)
    for (let tries = 0; await stat(file).catch(() => undefined); tries++) {
      assert.ok(tries < 200, 'the bytes are still there')
      await delay(10)
    }
  })

  const halfOf = randomBytes(MiB)
  const refusals: { name: string; status: number; code: string; send: (url: string) => Promise<{ status: number }> }[] =
    [
      { name: 'a wrong offset', status: 409, code: 'SYS.1006', send: (url) => tusPatch(url, 7, halfOf) },
      {
        name: 'a slice past the end',
        status: 413,
        code: 'SYS.1007',
        send: (url) => tusPatch(url, 0, Buffer.alloc(3 * MiB)),
      },
      {
        name: 'a checksum of other bytes',
        status: 460,
        code: 'SYS.1007',
        send: (url) => tusPatch(url, 0, halfOf, { 'upload-checksum': `md5 ${Buffer.alloc(16).toString('base64')}` }),
      },
      {
        name: 'a slice without a length that exceeds the end',
        status: 413,
        code: 'SYS.1007',
        send: async (url) => {
          const socket = await tusStart(url, 0, undefined, Buffer.alloc(0))
          const chunk = Buffer.concat([
            Buffer.from(`${(3 * MiB).toString(16)}\r\n`),
            Buffer.alloc(3 * MiB),
            Buffer.from('\r\n0\r\n\r\n'),
          ])
          socket.write(chunk)
          const answer = await tusAnswer(socket)
          socket.destroy()
          return answer
        },
      },
    ]
  for (const { name, status, send } of refusals)
    test(`${name} is rejected as at the owning node: ${status}, and nothing has changed`, async () => {
      const { here, there } = await open(2 * MiB)
      assert.equal((await send(here)).status, status)
      assert.equal((await send(there)).status, status)
      assert.equal(await tusOffset(here), 0)
    })

  test('a refusal arrives before the slice has been sent, and the rest of the slice is discarded', async () => {
    const { here } = await open(128 * MiB)
    const socket = await tusStart(here, 5, 32 * MiB, Buffer.alloc(1000))
    assert.equal((await tusAnswer(socket)).status, 409)
    await new Promise<void>((resolve) => socket.write(Buffer.alloc(32 * MiB - 1000), () => resolve()))
    // the connection is still usable
    const { host, pathname, search } = new URL(here)
    socket.write(`HEAD ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ntus-resumable: 1.0.0\r\n\r\n`)
    assert.equal((await tusAnswer(socket)).status, 200)
    socket.destroy()
  })

  test('Expect: 100-continue is answered by the called node', async () => {
    const { here } = await open(10)
    const { port, hostname, host, pathname, search } = new URL(here)
    const socket = connect(Number(port), hostname)
    socket.write(
      `PATCH ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ntus-resumable: 1.0.0\r\nupload-offset: 0\r\n` +
        'content-type: application/offset+octet-stream\r\ncontent-length: 4\r\nexpect: 100-continue\r\n\r\n',
    )
    assert.equal((await tusAnswer(socket)).status, 100)
    socket.write('1234')
    assert.equal((await tusAnswer(socket)).status, 204)
    socket.destroy()
    assert.equal(await tusOffset(here), 4)
  })

  test('the bytes that a client has sent before it disconnects count, at either node', async () => {
    const { here, there } = await open(8 * MiB)
    await tusCut(here, 0, 8 * MiB, randomBytes(3 * MiB))
    // the first request takes over the upload
    const spool = join(second.environment.WHARF_DATA ?? '', 'uploads', basename(new URL(here).pathname))
    const arrived = () =>
      stat(spool).then(
        ({ size }) => size,
        () => 0,
      )
    for (let tries = 0; tries < 1000 && (await arrived()) < 3 * MiB; tries++) await delay(10)
    assert.deepEqual([await tusOffset(here), await tusOffset(there)], [3 * MiB, 3 * MiB])
  })

  test('a newer request at another node takes the upload over', async () => {
    const { here, there } = await open(8 * MiB)
    const socket = await tusStart(here, 0, 8 * MiB, randomBytes(MiB))
    const answered = tusAnswer(socket)
    for (let tries = 0; tries < 100 && (await tusOffset(there)) < MiB; tries++) await delay(10)
    assert.equal((await answered).status, 409)
    assert.equal((await tusPatch(there, MiB, Buffer.alloc(7 * MiB))).status, 204)
    socket.destroy()
  })

  test('POST replaces PATCH, and DELETE ends the upload', async () => {
    const { here, there } = await open(10)
    const slice = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    const patched = await tusCall('POST', here, { ...slice, 'x-http-method-override': 'PATCH' }, Buffer.from('12345'))
    assert.equal(patched.status, 204, patched.text)
    assert.equal((await tusHead(here)).headers.get('upload-length'), '10')
    assert.equal((await tusCall('DELETE', here)).status, 204)
    assertFailure(await tusPatch(there, 5, Buffer.from('67890')), { status: 410, code: 'SoftwarePackage.1133' })
    assertFailure(await tusPatch(here, 5, Buffer.from('67890')), { status: 410, code: 'SoftwarePackage.1133' })
  })

  test('when its node is lost a slice is rejected immediately, and the rest of it is discarded', async () => {
    const { here } = await open(64 * MiB)
    const { database } = first.app.foundation
    await database.transaction((tx) =>
      tx.updateTable('managementNodes').set({ status: 'Dead' }).where('uuid', '=', managementNodeUuid).execute(),
    )
    const socket = await tusStart(here, 0, 16 * MiB, Buffer.alloc(1000))
    assert.equal((await tusAnswer(socket)).status, 502)
    await new Promise<void>((resolve) => socket.write(Buffer.alloc(16 * MiB - 1000), () => resolve()))
    socket.end()
    await once(socket, 'close')
  })
}
