import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tusCall, tusPatch, UploadServer } from '@wharf/testkit'

const origin = 'https://console.example.com'
const preflight = {
  origin,
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'content-type,tus-resumable,upload-offset',
}
const list = (text: string | null): string[] => (text ?? '').toLowerCase().split(/,\s*/)

// the CORS setting of the API does not affect uploads
for (const corsOrigins of [[], [origin], ['*']])
  test(`a page of another origin may upload when WHARF_CORS_ORIGINS is "${corsOrigins}"`, async (t) => {
    const server = await UploadServer.start(t, { corsOrigins })
    const { url } = await server.openUpload({ size: 10 })
    const allowed = await tusCall('OPTIONS', url, preflight)
    assert.equal(allowed.status, 204)
    assert.equal(allowed.headers.get('access-control-allow-origin'), '*')
    for (const method of ['head', 'patch', 'delete', 'post'])
      assert.ok(list(allowed.headers.get('access-control-allow-methods')).includes(method), method)
    const sent = ['content-type', 'tus-resumable', 'upload-offset', 'upload-length', 'upload-checksum', 'authorization']
    for (const name of [...sent, 'x-http-method-override', 'x-requested-with', 'x-request-id'])
      assert.ok(list(allowed.headers.get('access-control-allow-headers')).includes(name), name)
    assert.ok(Number(allowed.headers.get('access-control-max-age')) > 0)

    for (const offset of [0, 7]) {
      const answer = await tusPatch(url, offset, Buffer.alloc(5), { origin })
      assert.equal(answer.status, offset === 0 ? 204 : 409)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      const read = ['upload-offset', 'upload-length', 'upload-expires', 'tus-resumable', 'retry-after', 'x-request-id']
      for (const name of read) assert.ok(list(answer.headers.get('access-control-expose-headers')).includes(name), name)
    }
  })

test('OPTIONS returns the capabilities of the server without a signature or a version', async (t) => {
  const server = await UploadServer.start(t, { maxPackageBytes: 12_345_678 })
  const { url } = await server.openUpload({ size: 10 })
  for (const address of [url, url.replace(/\?.*/, '')]) {
    const { status, headers, text } = await tusCall('OPTIONS', address, {})
    assert.deepEqual([status, text], [204, ''])
    assert.equal(headers.get('tus-version'), '1.0.0')
    assert.equal(headers.get('tus-max-size'), '12345678')
    assert.deepEqual(list(headers.get('tus-extension')).sort(), [
      'checksum',
      'creation-defer-length',
      'expiration',
      'termination',
    ])
    for (const algorithm of ['md5', 'sha1', 'sha256'])
      assert.ok(list(headers.get('tus-checksum-algorithm')).includes(algorithm))
  }
})
