import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertFailure, tusAnswer, tusCall, tusOffset, tusPatch, tusStart, UploadServer } from '@wharf/testkit'

const MiB = 1024 * 1024
const size = 1000
const arrived = 400
const slice = randomBytes(100)
const version = { 'tus-resumable': '1.0.0' }
const headers = { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(arrived) }

const cleanups: (() => Promise<void>)[] = []
let server: UploadServer
before(async () => {
  server = await UploadServer.start({ after: (work) => void cleanups.push(work) }, { maxPackageBytes: 100 * MiB })
})
after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

/** An upload that is partly stored. */
async function openPartial(more: { size?: number } = { size }): Promise<{ url: string; id: string }> {
  const upload = await server.openUpload(more)
  assert.equal((await tusPatch(upload.url, 0, randomBytes(arrived))).status, 204)
  return upload
}

interface Row {
  readonly name: string
  readonly method?: string
  readonly change?: (url: string) => string
  readonly headers?: Record<string, string | undefined>
  readonly body?: Buffer
  /** The upload has a deferred length. */
  readonly isDeferred?: true
  readonly status: number
  readonly code: string
  readonly details?: string | RegExp
}

const unknown = { status: 404, code: 'SYS.1003', details: 'no upload exists at this address' }
const rows: Row[] = [
  {
    name: 'a signature with one letter changed',
    change: (url) => url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A'),
    ...unknown,
  },
  { name: 'an empty signature', change: (url) => url.replace(/signature=.*/, 'signature='), ...unknown },
  { name: 'no signature', change: (url) => url.replace(/\?.*/, ''), ...unknown },
  {
    name: 'the signature of another upload',
    change: (url) => url.replace(/uploads\/\w/, (start) => (start.endsWith('0') ? 'uploads/1' : 'uploads/0')),
    ...unknown,
  },
  { name: 'an invalid id', change: (url) => url.replace(/uploads\/\w+/, 'uploads/..%c3%bc'), ...unknown },
  { name: 'HEAD with a wrong signature', method: 'HEAD', change: (url) => `${url}A`, ...unknown },
  { name: 'DELETE with a wrong signature', method: 'DELETE', change: (url) => `${url}A`, ...unknown },

  {
    name: 'no version',
    headers: { 'tus-resumable': undefined },
    status: 412,
    code: 'SYS.1007',
    details: 'Tus-Resumable',
  },
  { name: 'another version', headers: { 'tus-resumable': '0.2.2' }, status: 412, code: 'SYS.1007' },
  {
    name: 'HEAD without a version',
    method: 'HEAD',
    headers: { 'tus-resumable': undefined },
    status: 412,
    code: 'SYS.1007',
  },
  {
    name: 'DELETE without a version',
    method: 'DELETE',
    headers: { 'tus-resumable': undefined },
    status: 412,
    code: 'SYS.1007',
  },

  {
    name: 'an offset before the end',
    headers: { 'upload-offset': '399' },
    status: 409,
    code: 'SYS.1006',
    details: 'Upload-Offset is 399, but the offset of the upload is 400',
  },
  { name: 'an offset after the end', headers: { 'upload-offset': '401' }, status: 409, code: 'SYS.1006' },
  { name: 'offset 0', headers: { 'upload-offset': '0' }, status: 409, code: 'SYS.1006' },
  {
    name: 'no offset',
    headers: { 'upload-offset': undefined },
    status: 400,
    code: 'SYS.1007',
    details: 'Upload-Offset is missing',
  },
  {
    name: 'a negative offset',
    headers: { 'upload-offset': '-1' },
    status: 400,
    code: 'SYS.1007',
    details: 'Upload-Offset must',
  },
  { name: 'an offset in hexadecimal', headers: { 'upload-offset': '0x190' }, status: 400, code: 'SYS.1007' },
  { name: 'an offset of thirty digits', headers: { 'upload-offset': '9'.repeat(30) }, status: 400, code: 'SYS.1007' },

  {
    name: 'another content type',
    headers: { 'content-type': 'application/octet-stream' },
    status: 415,
    code: 'SYS.1007',
    details: 'application/offset+octet-stream',
  },
  { name: 'no content type', headers: { 'content-type': '' }, status: 415, code: 'SYS.1007' },
  {
    name: 'a compressed slice',
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    code: 'SYS.1007',
    details: 'compressed',
  },

  {
    name: 'an unknown checksum',
    headers: { 'upload-checksum': 'crc7 AAAA' },
    status: 400,
    code: 'SYS.1007',
    details: 'md5, sha1, sha256',
  },
  {
    name: 'a checksum of the wrong length',
    headers: { 'upload-checksum': 'sha1 AAAA' },
    status: 400,
    code: 'SYS.1007',
    details: '20 bytes',
  },
  {
    name: 'a checksum without its algorithm',
    headers: { 'upload-checksum': 'AAAA' },
    status: 400,
    code: 'SYS.1007',
    details: 'Upload-Checksum',
  },
  {
    name: 'a checksum of other bytes',
    headers: { 'upload-checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` },
    status: 460,
    code: 'SYS.1007',
    details: 'sha1',
  },

  {
    name: 'a slice past the end',
    body: randomBytes(601),
    status: 413,
    code: 'SYS.1007',
    details: 'which has 1000 bytes',
  },
  {
    name: 'another length than before',
    headers: { 'upload-length': '1001' },
    status: 400,
    code: 'SYS.1007',
    details: 'it was 1000 before',
  },
  {
    name: 'a length below the offset',
    isDeferred: true,
    headers: { 'upload-length': '399' },
    status: 400,
    code: 'SYS.1007',
    details: '400 bytes have arrived',
  },
  {
    name: 'an invalid length',
    isDeferred: true,
    headers: { 'upload-length': 'long' },
    status: 400,
    code: 'SYS.1007',
    details: 'Upload-Length must',
  },
  {
    name: 'a length with leading zeros',
    isDeferred: true,
    headers: { 'upload-length': '0'.repeat(20) },
    status: 400,
    code: 'SYS.1007',
    details: 'without leading zeros',
  },
  {
    name: 'a length of 10^15 bytes',
    isDeferred: true,
    headers: { 'upload-length': '1000000000000000' },
    status: 413,
    code: 'SYS.1007',
    details: 'WHARF_MAX_PACKAGE_BYTES',
  },
  {
    name: 'a length beyond the limit of packages',
    isDeferred: true,
    headers: { 'upload-length': String(100 * MiB + 1) },
    status: 413,
    code: 'SYS.1007',
    details: 'WHARF_MAX_PACKAGE_BYTES',
  },

  { name: 'GET', method: 'GET', status: 405, code: 'SYS.1007', details: 'DELETE, HEAD, OPTIONS, PATCH' },
  { name: 'PUT', method: 'PUT', status: 405, code: 'SYS.1007' },
  { name: 'POST without a method override', method: 'POST', status: 405, code: 'SYS.1007' },
  {
    name: 'POST with the method override PUT',
    method: 'POST',
    headers: { 'x-http-method-override': 'PUT' },
    status: 405,
    code: 'SYS.1007',
  },
]

for (const { name, method = 'PATCH', change, body = slice, isDeferred, status, code, ...row } of rows) {
  test(`${name}: ${status}, and nothing changes`, async () => {
    const { url, id } = await openPartial(isDeferred ? {} : { size })
    const sent = Object.entries({ ...headers, ...row.headers }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    const hasBody = method !== 'HEAD' && method !== 'GET'
    const before = await server.row(id)
    const answer = await tusCall(method, change?.(url) ?? url, Object.fromEntries(sent), hasBody ? body : undefined)
    if (method === 'HEAD') assert.deepEqual([answer.status, answer.text], [status, ''])
    else assertFailure(answer, { status, code, ...(row.details === undefined ? {} : { details: row.details }) })
    if (status === 412) assert.equal(answer.headers.get('tus-version'), '1.0.0')
    if (status === 405) assert.equal(answer.headers.get('allow'), 'DELETE, HEAD, OPTIONS, PATCH')
    if (method === 'PATCH') {
      assert.equal(answer.headers.get('tus-resumable'), '1.0.0')
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    }
    const { uncheckedFrom: _, ...unchanged } = (await server.row(id)) ?? {}
    const { uncheckedFrom: __, ...expected } = before ?? {}
    assert.deepEqual({ ...unchanged }, { ...expected })
    assert.equal(await tusOffset(url), arrived)
  })
}

test('the checksum of an empty slice after the end is verified', async () => {
  const { url } = await server.openUpload({ size: 3 })
  await tusPatch(url, 0, Buffer.alloc(3))
  const empty = (digest: Buffer) =>
    tusCall('PATCH', url, {
      ...(headers as Record<string, string>),
      'upload-offset': '3',
      'upload-checksum': `sha1 ${digest.toString('base64')}`,
    })
  assertFailure(await empty(Buffer.alloc(20)), { status: 460, code: 'SYS.1007', details: 'sha1' })
  assert.equal((await empty(createHash('sha1').digest())).status, 204)
})

test('a slice of more than 64 MiB is refused before a byte of it is read', async () => {
  const { url } = await server.openUpload({ size: 100 * MiB })
  const socket = await tusStart(url, 0, 64 * MiB + 1, Buffer.alloc(10))
  const { status, text } = await tusAnswer(socket)
  socket.destroy()
  assert.equal(status, 413)
  assert.match(text, /a slice may have 67108864 bytes at most/)
  assert.equal(await tusOffset(url), 0)
})

test('a slice without a length may not exceed the upload, and then no byte of it is kept', async () => {
  const { url } = await openPartial()
  const socket = await tusStart(url, arrived, undefined, Buffer.from(`258\r\n${'x'.repeat(600)}\r\n1\r\ny\r\n`))
  const { status, text } = await tusAnswer(socket)
  socket.destroy()
  assert.equal(status, 413)
  assert.match(text, /exceeds the upload/)
  assert.equal(await tusOffset(url), arrived)
})

test('no log contains the signature', async () => {
  const { url } = await openPartial()
  await tusPatch(url, 0, slice)
  const signature = new URL(url).searchParams.get('signature') ?? ''
  assert.ok(signature.length > 20 && !server.logText.includes(signature))
})
