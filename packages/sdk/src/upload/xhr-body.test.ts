import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { SliceRequest } from './byte-source.ts'
import { observedBody } from './xhr-body.ts'

/** An XMLHttpRequest that the test controls. */
class FakeXhr {
  static last: FakeXhr
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null }
  readonly sentHeaders: Record<string, string> = {}
  status = 0
  responseText = ''
  responseURL = ''
  responseHeaders = ''
  isAborted = false
  target = ''
  onload: (() => void) | null = null
  onerror: (() => void) | null = null

  constructor() {
    FakeXhr.last = this
  }

  open(method: string, url: string): void {
    this.target = `${method} ${url}`
    this.responseURL = url
  }

  setRequestHeader(name: string, value: string): void {
    this.sentHeaders[name] = value
  }

  getAllResponseHeaders = (): string => this.responseHeaders

  send(): void {}

  abort(): void {
    this.isAborted = true
  }

  respond(status: number, headers: string, text = ''): void {
    Object.assign(this, { status, responseHeaders: headers, responseText: text })
    this.onload?.()
  }
}

const page = globalThis as { XMLHttpRequest?: unknown }
beforeEach(() => {
  page.XMLHttpRequest = FakeXhr
})
after(() => {
  delete page.XMLHttpRequest
})

const url = 'http://127.0.0.1/v1/uploads/1?token=t'
const request = (signal = new AbortController().signal): SliceRequest => ({
  method: 'PATCH',
  headers: { 'upload-offset': '5' },
  signal,
})

function send(given = request()) {
  const sent: number[] = []
  const body = observedBody(new Blob(['x'.repeat(100)]), (bytes) => sent.push(bytes), false)
  assert.ok('send' in body)
  return { sent, answer: body.send(url, given), xhr: FakeXhr.last }
}

test('bytes are reported while they are sent', async () => {
  const { sent, answer, xhr } = send()
  for (const loaded of [10, 60, 100]) xhr.upload.onprogress?.({ loaded })
  xhr.respond(204, 'Upload-Offset: 105\r\nTus-Resumable: 1.0.0\r\n')
  const { status, headers } = await answer
  assert.deepEqual([status, headers.get('upload-offset'), sent], [204, '105', [10, 60, 100]])
  assert.deepEqual([xhr.target, xhr.sentHeaders], [`PATCH ${url}`, { 'upload-offset': '5' }])
})

test('an error response keeps its status and text', async () => {
  const { answer, xhr } = send()
  xhr.respond(409, 'content-type: application/json\r\n', '{"error":{}}')
  const response = await answer
  assert.deepEqual([response.status, await response.text()], [409, '{"error":{}}'])
})

test('a broken connection is a TypeError, as with fetch', async () => {
  const { answer, xhr } = send()
  xhr.onerror?.()
  await assert.rejects(answer, TypeError)
})

test('an abort stops the request and rejects with its reason', async () => {
  const stop = new AbortController()
  const { answer, xhr } = send(request(stop.signal))
  const reason = new Error('paused')
  stop.abort(reason)
  await assert.rejects(answer, reason)
  assert.ok(xhr.isAborted)
  await assert.rejects(send(request(stop.signal)).answer, reason)
})

test('the response of a redirect target is not a response of the server', async () => {
  const { answer, xhr } = send()
  xhr.responseURL = 'http://127.0.0.1/login'
  xhr.respond(200, '', '<html>')
  const { status, headers } = await answer
  assert.deepEqual([status, headers.get('location')], [307, 'http://127.0.0.1/login'])
})

test('a custom fetch, or a platform without XMLHttpRequest, sends the bytes as they are', () => {
  const content = new Blob(['x'])
  assert.equal(
    observedBody(content, () => {}, true),
    content,
  )
  delete page.XMLHttpRequest
  assert.equal(
    observedBody(content, () => {}, false),
    content,
  )
})
