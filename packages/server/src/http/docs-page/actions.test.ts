import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsOf } from './actions.ts'
import { jsonSchema, type OpenApi, type Operation } from './document.ts'
import { curlExample } from './examples.ts'
import { docsPage } from './page.ts'

const text = { type: 'string' }
const structure = (name: string, properties: object) => ({
  title: name,
  type: 'object',
  required: [name.charAt(0).toLowerCase() + name.slice(1)],
  properties: { [name.charAt(0).toLowerCase() + name.slice(1)]: { type: 'object', properties }, userTags: text },
})
const answer = (name: string, properties: object) => ({ title: `${name}Answer`, type: 'object', properties })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const header = (name: string) => ({ name, in: 'header', schema: text, 'x-since': '1' })

/** A job for admins, planned, and a call for operators, served, on one path. */
const moveOrPaint = {
  operationId: 'moveDemoOrPaintDemo',
  summary: 'MoveDemo or PaintDemo',
  description: 'the words about both',
  tags: ['demo'],
  parameters: [
    { name: 'uuid', in: 'path', required: true, schema: { ...text, pattern: '^[0-9a-f]{32}$' } },
    ...['Prefer', 'ApiTimeout', 'IdempotencyKey'].map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ],
  requestBody: {
    required: true,
    ...json({ oneOf: [structure('MoveDemo', { metres: text }), structure('PaintDemo', { color: text })] }),
  },
  responses: {
    200: { description: 'Done', ...json({ anyOf: [answer('MoveDemo', {}), answer('PaintDemo', { shade: text })] }) },
    202: { description: 'Later' },
    default: { description: 'Failed' },
  },
  'x-since': '1',
  'x-permission': 'operate',
  'x-errors': ['SYS.1003', 'SYS.1005', 'SYS.1007'],
  'x-operations': [
    {
      name: 'MoveDemo',
      structure: 'moveDemo',
      summary: 'Move it',
      'x-since': '1',
      'x-permission': 'administer',
      'x-timeout-seconds': 60,
      'x-errors': ['SYS.1005', 'SYS.1007'],
      'x-served': false,
    },
    {
      name: 'PaintDemo',
      structure: 'paintDemo',
      summary: 'Paint it',
      'x-since': '2',
      'x-permission': 'operate',
      'x-errors': ['SYS.1003', 'SYS.1007'],
    },
  ],
}
const document = {
  info: { title: 'Demo', version: '1' },
  tags: [{ name: 'demo' }],
  paths: { '/v1/demo/{uuid}/actions': { put: moveOrPaint as unknown as Operation } },
  components: {
    schemas: {},
    parameters: {
      Prefer: header('Prefer'),
      ApiTimeout: header('X-API-Timeout'),
      IdempotencyKey: header('Idempotency-Key'),
    },
  },
  'x-error-catalogue': Object.fromEntries(
    ['SYS.1003', 'SYS.1005', 'SYS.1007'].map((code) => [code, { status: 400, description: code }]),
  ),
} as unknown as OpenApi
const calls = callsOf(document)
const page = docsPage(document, '')
const section = (id: string): string => new RegExp(`<article id="${id}".*?</article>`, 's').exec(page)?.[0] ?? ''

test('operations that share a path are separate, each with its own fields', () => {
  assert.deepEqual(
    calls.map(({ operationId, summary, method, path, 'x-permission': permission, 'x-since': since }) => [
      operationId,
      summary,
      `${method} ${path}`,
      permission,
      since,
    ]),
    [
      ['moveDemo', 'Move it', 'PUT /v1/demo/{uuid}/actions', 'administer', '1'],
      ['paintDemo', 'Paint it', 'PUT /v1/demo/{uuid}/actions', 'operate', '2'],
    ],
  )
  const [move, paint] = calls
  assert.deepEqual([move?.['x-served'], paint?.['x-served']], [false, undefined])
  assert.deepEqual(Object.keys(jsonSchema(move?.requestBody?.content)?.properties ?? {}), ['moveDemo', 'userTags'])
  assert.deepEqual(Object.keys(jsonSchema(paint?.requestBody?.content)?.properties ?? {}), ['paintDemo', 'userTags'])
})

test('only a job documents how to wait for it', () => {
  assert.deepEqual(
    calls.map(({ responses, parameters = [] }) => [Object.keys(responses), parameters.length]),
    [
      [['200', '202', 'default'], 4],
      [['200', 'default'], 2],
    ],
  )
  assert.match(section('moveDemo'), /job, up to 1 min/)
  assert.doesNotMatch(section('paintDemo'), /Prefer|X-API-Timeout|job, up to/)
})

test('each has its section, its entry in the contents and its fields, response, errors and example', () => {
  for (const [id, own, foreign] of [
    ['moveDemo', ['Move it', 'metres', 'SYS.1005', 'not served'], ['Paint', 'color', 'shade', 'SYS.1003']],
    ['paintDemo', ['Paint it', 'color', 'shade', 'SYS.1003'], ['Move', 'metres', 'SYS.1005', 'not served']],
  ] as const) {
    for (const word of own) assert.ok(section(id).includes(word), `${id} lacks ${word}`)
    for (const word of foreign) assert.ok(!section(id).includes(word), `${id} has ${word}`)
    assert.match(page, new RegExp(`<li[^>]*><a href="#${id}">`))
  }
  assert.doesNotMatch(page, /moveDemoOrPaintDemo|the words about both/)
})

test('the example sends the structure of the action', () => {
  const sent = calls.map((call) => JSON.parse(/-d '(.*)'$/s.exec(curlExample(document, call))?.[1] ?? ''))
  assert.deepEqual(sent, [{ moveDemo: { metres: '…' } }, { paintDemo: { color: '…' } }])
})

test('an operation with its own path is unchanged', () => {
  const { 'x-operations': _, ...alone } = moveOrPaint
  const path = '/v1/demo'
  const [call] = callsOf({ ...document, paths: { [path]: { put: alone as unknown as Operation } } })
  assert.deepEqual(call, { ...alone, method: 'PUT', path })
})

test('an action without a description fails the page', () => {
  const put = { ...moveOrPaint, requestBody: json({ oneOf: [] }) } as unknown as Operation
  assert.throws(() => callsOf({ ...document, paths: { '/v1/demo': { put } } }), /MoveDemo/)
})
