import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openapi, operations } from '@wharf/contract'
import Ajv2020 from 'ajv/dist/2020.js'
import fastify from 'fastify'
import { registerDocs } from './docs.ts'
import { callsOf } from './docs-page/actions.ts'
import { jsonSchema, type OpenApi } from './docs-page/document.ts'
import { bodyExample, exampleOf } from './docs-page/examples.ts'
import { docsPage } from './docs-page/page.ts'

const contract = openapi({ served: () => true }) as OpenApi
const page = docsPage(contract, '')
const matches = (text: string, expression: RegExp): string[] =>
  [...text.matchAll(expression)].map((match) => match[1] ?? '')

async function serve(document: () => string = () => JSON.stringify(contract)) {
  const app = fastify()
  registerDocs(app, { openapi: document })
  await app.ready()
  return app
}

for (const path of ['/docs', '/docs/'])
  test(`${path} and everything it loads have relative URLs, whatever the prefix`, async () => {
    const app = await serve()
    const { body } = await app.inject(path)
    const loaded = matches(body, /(?:href|src)="([^"#]+)"/g)
    assert.deepEqual(
      [...new Set(loaded.map((address) => new URL(address, `http://h/wharf${path}`).pathname))],
      ['/wharf/docs/icon.svg', '/wharf/docs/docs.css', '/wharf/docs/docs.js', '/wharf/openapi.json'],
    )
    for (const name of ['icon.svg', 'docs.css', 'docs.js']) {
      const asset = await app.inject(`/docs/${name}`)
      assert.equal(asset.statusCode, 200)
      assert.doesNotMatch(asset.body, /(https?:)?\/\/(?!www\.w3\.org\/2000\/svg)[a-z0-9-]+\./i, 'names no other server')
    }
    await app.close()
  })

test('the page has no inline script and its policy allows no other', async () => {
  const app = await serve()
  const { headers } = await app.inject('/docs')
  assert.doesNotMatch(page, /<script(?! src=)|<style|\sstyle=|\son\w+=|javascript:/)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe|\*|http/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  await app.close()
})

test('it is compressed for a browser that accepts it, and not sent again while unchanged', async () => {
  let title = 'first'
  const app = await serve(() => JSON.stringify({ ...contract, info: { ...contract.info, version: title } }))
  const plain = await app.inject('/docs')
  assert.equal(plain.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(plain.headers['content-encoding'], undefined)
  const packed = await app.inject({ url: '/docs', headers: { 'accept-encoding': 'gzip' } })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(packed.rawPayload).toString(), plain.body)
  assert.ok(packed.rawPayload.length < 80_000, `light: ${packed.rawPayload.length} bytes`)
  const smallest = await app.inject({ url: '/docs', headers: { 'accept-encoding': 'gzip, br' } })
  assert.equal(smallest.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(smallest.rawPayload).toString(), plain.body)
  const refused = await app.inject({ url: '/docs', headers: { 'accept-encoding': 'gzip;q=0, identity' } })
  assert.equal(refused.headers['content-encoding'], undefined)
  const known = { 'if-none-match': String(plain.headers.etag) }
  const again = await app.inject({ url: '/docs', headers: known })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  title = 'second'
  assert.equal((await app.inject({ url: '/docs', headers: known })).statusCode, 200)
  await app.close()
})

test('every operation, record and error code is listed, and every link has a target', () => {
  const ids = matches(page, /\sid="([^"]+)"/g)
  assert.equal(new Set(ids).size, ids.length, 'no id twice')
  const expected = [
    ...callsOf(contract).map((call) => call.operationId),
    ...Object.keys(contract['x-error-catalogue'] ?? {}).map((code) => `error-${code}`),
    ...Object.keys(contract.components.schemas).filter((name) => !name.startsWith('Partial')),
  ]
  assert.deepEqual(
    expected.filter((id) => !ids.includes(id)),
    [],
  )
  assert.deepEqual(
    matches(page, /href="#([^"]+)"/g).filter((id) => !ids.includes(id)),
    [],
  )
})

test('an operation that is not served is marked', () => {
  const declared = docsPage(openapi({ served: ({ name }) => name !== 'QueryHost' }) as OpenApi, '')
  assert.equal(matches(declared, /(not served by this version)/g).length, 1)
  assert.equal(matches(page, /(not served by this version)/g).length, 0)
})

test('texts of the document cannot become markup', () => {
  const [call] = callsOf(contract)
  assert.ok(call)
  const evil = '<script>alert(1)</script>"\'&'
  const document = {
    ...contract,
    paths: {
      [call.path]: { get: { ...call, summary: evil, 'x-since': evil, responses: { 200: { description: evil } } } },
    },
  }
  const made = docsPage(document, '')
  assert.doesNotMatch(made, /<script>/)
  assert.match(made, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/)
})

// strict is off: the document has words of our own (x-since)
const ajv = new Ajv2020.default({ strict: false, validateFormats: false })
ajv.addSchema(contract, 'contract')
const fits = (schema: object, value: unknown): string => {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"contract#/')) as object
  const check = ajv.compile(absolute)
  return check(value) ? '' : ajv.errorsText(check.errors)
}

test('the fields of every operation are JSON Schema', () => {
  for (const { name, fields } of operations)
    assert.ok(ajv.validateSchema({ type: 'object', properties: fields }), `${name}: ${ajv.errorsText()}`)
})

for (const call of callsOf(contract))
  test(`the examples of ${call.operationId} are valid`, () => {
    const body = jsonSchema(call.requestBody?.content)
    if (body) assert.equal(fits(body, bodyExample(contract, body)), '')
    const answer = jsonSchema((call.responses['200'] as { content?: never } | undefined)?.content)
    if (answer) assert.equal(fits(answer, exampleOf(contract, '', answer)), '')
  })
