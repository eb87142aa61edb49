import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { curlLine, isScheme, isStale, signatureOf, textToSign } from './signing.ts'

const date = 'Thu, 05 Nov 2026 01:02:03 GMT'

test('the text to sign has method, date and path without the query', () => {
  assert.equal(textToSign({ method: 'GET', path: '/v1/hosts?limit=1', date }), `GET\n${date}\n/v1/hosts`)
})

test('the signature is HMAC-SHA1 in Base64, for any text and secret', async () => {
  const texts = fc.string({ unit: 'grapheme' })
  await fc.assert(
    fc.asyncProperty(texts, fc.string({ unit: 'grapheme', minLength: 1 }), async (text, secret) => {
      const expected = createHmac('sha1', secret).update(text).digest('base64')
      assert.equal(await signatureOf(text, secret), expected)
    }),
  )
})

test('the curl command receives every typed character unchanged', () => {
  const typed = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
  fc.assert(
    fc.property(typed, typed, (path, body) => {
      const request = { method: 'POST', path: `/v1/${path}`, date }
      const line = curlLine(request, { server: 'http://127.0.0.1/', authorization: 'Service a:b', body: `{${body}` })
      const output = execFileSync('sh', ['-c', line.replace('curl', `printf '%s\\0'`)], { encoding: 'utf8' })
      assert.deepEqual(output.split('\0').slice(0, -1), [
        '-X',
        'POST',
        `http://127.0.0.1/v1/${path}`,
        '-H',
        `Date: ${date}`,
        '-H',
        'Authorization: Service a:b',
        '-H',
        'Content-Type: application/json',
        '-d',
        `{${body}`,
      ])
    }),
    { numRuns: 40 },
  )
})

test('only POST and PUT have a body', () => {
  const line = curlLine(
    { method: 'GET', path: '/v1/hosts', date },
    { server: 'http://x', authorization: 'y', body: '{}' },
  )
  assert.ok(!line.includes('-d'))
})

test('a date is valid for fifteen minutes before and after', () => {
  const at = Date.parse(date)
  for (const [minutes, stale] of [
    [0, false],
    [15, false],
    [16, true],
    [-15, false],
    [-16, true],
  ] as const)
    assert.equal(isStale(date, at + minutes * 60_000), stale, `${minutes} minutes`)
  assert.ok(isStale('yesterday', at))
})

test('the text to sign has three lines without the query string', () => {
  const text = textToSign({ method: 'GET', path: '/v1/hosts?limit=10&q=a?b', date })
  assert.equal(text, `GET\n${date}\n/v1/hosts`)
})

test('the URL of the command has one slash after the server', () => {
  for (const server of ['https://x.example', 'https://x.example/'])
    assert.ok(
      curlLine({ method: 'GET', path: '/v1/hosts', date }, { server, authorization: 'a', body: '' }).includes(
        `'https://x.example/v1/hosts'`,
      ),
    )
})

for (const scheme of ['Service', 'Custom', 'a-1']) test(`${scheme} is a scheme`, () => assert.ok(isScheme(scheme)))
for (const scheme of ['', 'a b', 'a:b', 'ü']) test(`"${scheme}" is not a scheme`, () => assert.ok(!isScheme(scheme)))
