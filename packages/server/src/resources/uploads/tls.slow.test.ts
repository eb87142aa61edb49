import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCertificate, TestServer } from '@wharf/testkit'
import { UploadService } from './service.ts'

test('slices are complete over TLS, where Node uses other buffers', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-upload-tls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { cert, key } = makeCertificate(folder, 'localhost')
  const server = await TestServer.start(t, { environment: { WHARF_TLS_CERT: cert, WHARF_TLS_KEY: key } })
  const { foundation } = server.app
  const bytes = randomBytes(5_000_000)
  const md5 = createHash('md5').update(bytes).digest('hex')
  const { accountUuid } = server.bootstrap
  const caller = { accountUuid, userUuid: accountUuid }
  const upload = { packageUuid: 'e'.repeat(32), fileName: 'file', size: bytes.length, md5, caller }
  const { path } = await foundation.database.transaction(async (tx) => {
    await tx
      .insertInto('softwarePackages')
      .values(packageAt(join(folder, 'file'), server.bootstrap.hostUuid))
      .execute()
    return new UploadService(foundation).open(tx, upload)
  })
  for (let offset = 0; offset < bytes.length; offset += 2_000_000) {
    const call = request(`${server.url}${path}`, {
      method: 'PATCH',
      rejectUnauthorized: false,
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': offset,
      },
    })
    call.end(bytes.subarray(offset, offset + 2_000_000))
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    response.resume()
    assert.equal(response.statusCode, 204, 'the last one compares the MD5')
  }
})

/** The last slice starts the job of its package. */
const packageAt = (installPath: string, hostUuid: string) => ({
  uuid: 'e'.repeat(32),
  name: 'file',
  type: 'demo',
  hostUuid,
  installPath,
  status: 'Uploading' as const,
  size: 0,
  createDate: 0,
  lastOpDate: 0,
})
