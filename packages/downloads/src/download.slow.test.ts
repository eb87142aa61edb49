import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { getEventListeners, once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { parseCidr } from '@wharf/platform/cidr.ts'
import { type DownloadOptions, fileNameOf, openDownload } from './download.ts'
import { guardedRequest } from './guarded-request.ts'
import { allowedAddress, downloadOptions, startRawSource, startSource, until } from './testing/source.ts'

const at = (port: number, path = '/a.tar'): URL => new URL(`http://${allowedAddress}:${port}${path}`)

/** The error of a download, thrown by the call or by the stream. */
async function failure(url: URL, more: Partial<DownloadOptions> = {}) {
  try {
    await buffer((await openDownload(url, downloadOptions(more))).stream)
  } catch (error) {
    const { code, status, message } = error as Error & { code: string; status: number }
    return `${status} ${code} ${url.port === '' ? message : message.replaceAll(`:${url.port}`, '')}`
  }
  return 'none'
}

test('returns the bytes, the size and the name', async (t) => {
  const bytes = randomBytes(3_000_000)
  const { port, sockets } = await startSource(t, (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length })
    response.end(bytes)
  })
  const { stream, size, fileName } = await openDownload(at(port, '/x/my%20pack.tar.gz?a=/b'), downloadOptions())
  assert.deepEqual({ size, fileName }, { size: bytes.length, fileName: 'my pack.tar.gz' })
  assert.deepEqual(await buffer(stream), bytes)
  await until(() => sockets.size === 0)
})

test('accepts a body without a length, in chunks or until the connection ends', async (t) => {
  const chunked = await startSource(t, (_, response) => {
    response.write('one ')
    response.end('two')
  })
  const untilClose = await startRawSource(t, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\none two'))
  })
  for (const { port } of [chunked, untilClose]) {
    const { stream, size } = await openDownload(at(port), downloadOptions())
    assert.equal(size, undefined)
    assert.equal(await text(stream), 'one two')
  }
})

test('sends one request with no part of the URL but its path, and requests the bytes unencoded', async (t) => {
  const heads: string[] = []
  const { port } = await startRawSource(t, (socket) => {
    socket.once('data', (head) => {
      heads.push(String(head))
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
  })
  const { stream } = await openDownload(new URL(`http://u:p@${allowedAddress}:${port}/a b?c=d#e`), downloadOptions())
  assert.equal(await text(stream), '')
  assert.deepEqual(heads[0]?.trimEnd().split('\r\n'), [
    'GET /a%20b?c=d HTTP/1.1',
    'accept: */*',
    'accept-encoding: identity',
    'user-agent: Wharf',
    `host: ${allowedAddress}:${port}`,
    'authorization: Basic dTpw',
    'Connection: close',
  ])
})

test('does not decode bytes with a Content-Encoding', async (t) => {
  const packed = gzipSync('a tar file')
  const { port } = await startSource(t, (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length })
    response.end(packed)
  })
  const { stream, size } = await openDownload(at(port), downloadOptions())
  assert.equal(size, packed.length)
  assert.deepEqual(await buffer(stream), packed)
})

const raw: [what: string, answer: string | undefined, failure: RegExp][] = [
  [
    '404',
    'HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno',
    /^502 SYS\.1015 http:.*\/a\.tar answered 404 Not Found$/,
  ],
  ['500', 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n', /^502 SYS\.1015 .* answered 500 Oops$/],
  ['401', 'HTTP/1.1 401 \r\nContent-Length: 0\r\n\r\n', /^502 SYS\.1015 .* answered 401$/],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', /^502 SYS\.1015 .* answered 204 No Content$/],
  ['206', 'HTTP/1.1 206 Part\r\nContent-Length: 1\r\n\r\nx', /^502 SYS\.1015 .* answered 206 Part$/],
  [
    '302 without a location',
    'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n',
    /^502 SYS\.1015 .*302 without a location/,
  ],
  [
    'an upgrade',
    'HTTP/1.1 101 Switch\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    /^502 SYS\.1015 .*connection was reset$/,
  ],
  [
    'less than announced',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour',
    /^502 SYS\.1015 .*broke off after 4 of 9 bytes/,
  ],
  [
    'an unfinished chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nfour',
    /^502 SYS\.1015 .*broke off after 4 bytes/,
  ],
  [
    'no last chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n',
    /^502 SYS\.1015 .*broke off after 4 bytes/,
  ],
  [
    'a wrong chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfourteen',
    /^502 SYS\.1015 .*broke off after 4 bytes$/,
  ],
  ['half a head', 'HTTP/1.1 200 OK\r\nContent-Le', /^502 SYS\.1015 .*connection was reset$/],
  ['nothing', '', /^502 SYS\.1015 .*connection was reset$/],
  ['a reset', undefined, /^502 SYS\.1015 .*connection was reset$/],
  ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', /^502 SYS\.1015 .*its answer is not HTTP$/],
  [
    'a head without end',
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`,
    /^502 SYS\.1015 .*head of its answer is too long$/,
  ],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', /^502 SYS\.1015 .*not HTTP$/],
  [
    'length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    /^502 SYS\.1015 .*not HTTP$/,
  ],
  ['a wrong length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', /^502 SYS\.1015 .*not HTTP$/],
  [
    'a huge length',
    'HTTP/1.1 200 OK\r\nContent-Length: 2000000000000\r\n\r\n',
    /^413 SYS\.1007 .*at most 1099511627776 bytes/,
  ],
]
for (const [what, answer, expected] of raw) {
  test(`a source that sends ${what} fails, and leaves no connection`, async (t) => {
    const { port, sockets } = await startRawSource(t, (socket) => {
      socket.once('data', () => (answer === undefined ? socket.resetAndDestroy() : socket.end(answer)))
    })
    assert.match(await failure(at(port)), expected)
    await until(() => sockets.size === 0)
  })
}

test('reports a refused connection', async (t) => {
  const { port } = await startSource(t, () => {}, allowedAddress)
  const options = { allow: [parseCidr('127.0.0.4') ?? assert.fail()] }
  const message = await failure(new URL(`http://127.0.0.4:${port}/`), options)
  assert.equal(message, '502 SYS.1015 cannot connect to http://127.0.0.4: the connection was refused')
})

test('a redirect that ends in an error names both servers, and no secret', async (t) => {
  const { port } = await startSource(t, (request, response) => {
    const isFirst = request.headers.host?.startsWith(allowedAddress)
    if (isFirst) response.writeHead(302, { location: `http://cdn.test:${port}/x?signature=secret` }).end()
    else response.writeHead(403).end()
  })
  const resolve = async () => [{ address: allowedAddress, family: 4 }]
  assert.equal(
    await failure(new URL(`http://u:secret@${allowedAddress}:${port}/a?secret`), { resolve }),
    `502 SYS.1015 http://${allowedAddress}/a, redirected to http://cdn.test, answered 403 Forbidden`,
  )
})

test('does not wait for the body of an error or a redirect', async (t) => {
  const { port, sockets } = await startSource(t, (request, response) => {
    if (request.url === '/end') response.end('end')
    else if (request.url === '/moved') response.writeHead(302, { location: '/end' }).write('a body without end')
    else response.writeHead(503).write('a body without end')
  })
  assert.match(await failure(at(port, '/busy')), /answered 503 Service Unavailable$/)
  await until(() => sockets.size === 0)
  assert.equal(await failure(at(port, '/moved')), 'none')
  await until(() => sockets.size === 0)
})

test('more bytes than the limit are 413, announced or not', async (t) => {
  const { port, sockets } = await startSource(t, (request, response) => {
    if (request.url === '/announced') response.setHeader('content-length', 11)
    response.write('six666')
    response.end('five5')
  })
  const message = /^413 SYS\.1007 .*at most 10 bytes \(WHARF_MAX_PACKAGE_BYTES\); make it smaller, or raise the limit$/
  assert.match(await failure(at(port, '/announced'), { maxBytes: 10 }), message)
  assert.match(await failure(at(port, '/silent'), { maxBytes: 10 }), message)
  assert.equal(await failure(at(port, '/announced'), { maxBytes: 11 }), 'none')
  assert.equal(await failure(at(port, '/silent'), { maxBytes: 11 }), 'none')
  await until(() => sockets.size === 0)
})

test('an endless source is ended at the limit', async (t) => {
  const block = Buffer.alloc(65_536)
  const { port, sockets } = await startSource(t, (_, response) => {
    const endless: Readable = new Readable({ read: () => endless.push(block) })
    pipeline(endless, response).catch(() => {})
  })
  assert.match(await failure(at(port), { maxBytes: 5_000_000 }), /^413 /)
  await until(() => sockets.size === 0)
})

test('times out when a source never responds', async (t) => {
  const { port, sockets } = await startRawSource(t, () => {})
  assert.match(await failure(at(port), { idleTimeoutMs: 100 }), /^502 SYS\.1015 .*did not answer within 0\.1 s$/)
  await until(() => sockets.size === 0)
})

test('times out when a response head never ends', async (t) => {
  const { port } = await startRawSource(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX: ')
    const timer = setInterval(() => socket.write('x'), 20)
    socket.once('close', () => clearInterval(timer))
  })
  assert.match(await failure(at(port), { idleTimeoutMs: 150 }), /did not answer within 0\.15 s$/)
})

test('times out when a source stops sending', async (t) => {
  const { port, sockets } = await startSource(t, (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('some')
  })
  assert.match(
    await failure(at(port), { idleTimeoutMs: 100 }),
    /^502 SYS\.1015 .*nothing for 0\.1 s after 4 of 100 bytes$/,
  )
  await until(() => sockets.size === 0)
})

test('waits for a slow source without a total limit', async (t) => {
  const { port } = await startSource(t, async (_, response) => {
    for (let index = 0; index < 10; index++) {
      response.write(String(index))
      await delay(120)
    }
    response.end()
  })
  const { stream } = await openDownload(at(port), downloadOptions({ idleTimeoutMs: 1000 }))
  assert.equal(await text(stream), '0123456789')
})

test('a slow reader causes no timeout, and slows the source down', async (t) => {
  const block = Buffer.alloc(65_536)
  const blocks = 512
  let sent = 0
  const { port } = await startSource(t, (_, response) => {
    const file: Readable = new Readable({ read: () => file.push(sent++ < blocks ? block : null) })
    pipeline(file, response).catch(() => {})
  })
  const { stream } = await openDownload(at(port), downloadOptions({ idleTimeoutMs: 1000 }))
  await once(stream, 'readable')
  const first = stream.read(1)
  await delay(1500)
  assert.ok(sent < blocks / 2, `${sent} of ${blocks} blocks were read from the source without a reader`)
  assert.equal(first.length + (await buffer(stream)).length, blocks * block.length)
})

test('times out for a name that is not resolved and for an endless handshake', async (t) => {
  const resolve = () => new Promise<never>(() => {})
  const { port, sockets } = await startRawSource(t, () => {})
  const message = /^502 SYS\.1015 cannot connect to https?:.*: there was no connection within 0\.1 s$/
  assert.match(await failure(new URL('http://slow.test/'), { resolve, connectTimeoutMs: 100 }), message)
  assert.match(await failure(new URL(`https://${allowedAddress}:${port}/`), { connectTimeoutMs: 100 }), message)
  await until(() => sockets.size === 0)
})

test('tries the next address of a name when one does not accept the connection', async (t) => {
  const { port } = await startSource(t, (_, response) => response.end('here'), allowedAddress)
  const allow = ['127.0.0.2', '127.0.0.4'].map((text) => parseCidr(text) ?? assert.fail(text))
  const resolve = async () => ['127.0.0.4', allowedAddress].map((address) => ({ address, family: 4 }))
  const { stream } = await openDownload(new URL(`http://two.test:${port}/`), downloadOptions({ allow, resolve }))
  assert.equal(await text(stream), 'here')
})

test('abort ends a download at every stage with its reason, and leaves no socket and no listener', async (t) => {
  const reason = new Error('cancelled')
  const silent = await startRawSource(t, () => {})
  const slow = await startSource(t, (_, response) => response.writeHead(200, { 'content-length': 9 }).write('some'))
  const places: Record<string, [url: URL, more: Partial<DownloadOptions>, open: Set<Socket>]> = {
    'before it starts': [at(slow.port), {}, slow.sockets],
    'during name resolution': [new URL('http://slow.test/'), { resolve: () => new Promise(() => {}) }, silent.sockets],
    'during the handshake': [new URL(`https://${allowedAddress}:${silent.port}/`), {}, silent.sockets],
    'before the response': [at(silent.port), {}, silent.sockets],
    'within the body': [at(slow.port), {}, slow.sockets],
  }
  for (const [place, [url, more, open]] of Object.entries(places)) {
    const controller = new AbortController()
    const { signal } = controller
    if (place === 'before it starts') controller.abort(reason)
    else setTimeout(() => controller.abort(reason), 50)
    const work = openDownload(url, downloadOptions({ ...more, signal })).then(({ stream }) => buffer(stream))
    await assert.rejects(work, (error) => error === reason, place)
    await until(() => open.size === 0)
    assert.deepEqual(getEventListeners(signal, 'abort'), [], place)
  }
})

test('a stream that its reader destroys closes the connection', async (t) => {
  const { port, sockets } = await startSource(t, (_, response) => response.writeHead(200).write('some'))
  const controller = new AbortController()
  const { stream } = await openDownload(at(port), downloadOptions({ signal: controller.signal }))
  stream.destroy()
  await until(() => sockets.size === 0)
  assert.deepEqual(getEventListeners(controller.signal, 'abort'), [])
})

test('a finished download leaves no listener on its signal', async (t) => {
  const { port, sockets } = await startSource(t, (_, response) => response.end('x'))
  const controller = new AbortController()
  for (let round = 0; round < 20; round++) {
    await text((await openDownload(at(port), downloadOptions({ signal: controller.signal }))).stream)
  }
  await until(() => sockets.size === 0)
  assert.deepEqual(getEventListeners(controller.signal, 'abort'), [])
})

test('twenty concurrent downloads do not mix', async (t) => {
  const body = (path: string): Buffer => Buffer.alloc(300_000, createHash('md5').update(path).digest())
  const { port } = await startSource(t, (request, response) => response.end(body(request.url ?? '')))
  const paths = Array.from({ length: 20 }, (_, index) => `/${index}`)
  const got = await Promise.all(
    paths.map(async (path) => buffer((await openDownload(at(port, path), downloadOptions())).stream)),
  )
  assert.deepEqual(got, paths.map(body))
})

test('a POST sends its body and headers, and does not follow redirects', async (t) => {
  const { port } = await startSource(t, async (request, response) => {
    const { 'content-type': type, 'content-length': length } = request.headers
    const echo = `${request.method} ${type} ${length} ${await text(request)}`
    response.writeHead(307, { location: '/elsewhere' }).end(echo)
  })
  const { response } = await guardedRequest(at(port, '/hook'), {
    ...downloadOptions(),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text":"中"}',
  })
  assert.equal(response.statusCode, 307)
  assert.equal(await text(response), 'POST application/json 14 {"text":"中"}')
})

test('the name is the last part of the path', () => {
  const rows: [path: string, name: string][] = [
    ['/a/b.tar', 'b.tar'],
    ['/a/', 'package'],
    ['/', 'package'],
    ['/a%2Fb%00c%5Cd', 'a_b_c_d'],
    ['/100%25%', '100%25%'],
    ['/%E4%B8%AD.zip', '中.zip'],
    ['/x%2e%2e', 'x..'],
  ]
  for (const [path, name] of rows) assert.equal(fileNameOf(new URL(`http://h${path}`)), name, path)
})
