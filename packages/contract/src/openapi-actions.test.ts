import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/schema'
import { openapi } from './openapi.ts'
import { type Actions, describedActions, olderFirst } from './openapi-actions.ts'
import { operation } from './operation.ts'
import { errorsOf, operations } from './operations.ts'
import { Integer, optional, Text } from './schema.ts'

const shared = { resource: 'demo', method: 'PUT', path: '/v1/demo/{uuid}/actions' } as const
const moveDemo = operation({
  ...shared,
  name: 'MoveDemo',
  structure: 'moveDemo',
  summary: 'Move it',
  since: '4.10.6',
  permission: 'administer',
  mode: 'job',
  timeoutSeconds: 60,
  fields: { metres: Integer(1, 9) },
  answer: 'empty',
  errors: ['SYS.1003', 'HOST.1003'],
})
const paintDemo = operation({
  ...shared,
  name: 'PaintDemo',
  structure: 'paintDemo',
  summary: 'Paint it',
  since: 'wharf-1.0.0',
  permission: 'operate',
  fields: { color: optional(Text(32)) },
  answer: { color: Text(32) },
  errors: ['SYS.1003', 'SYS.1005'],
})
const actions = [moveDemo, paintDemo] as unknown as Actions

/** As a reader gets it. */
const written = (of: Actions, served: readonly string[] = []) =>
  JSON.parse(JSON.stringify(describedActions(of, ({ name }) => served.includes(name))))
const shown = written(actions, ['MoveDemo', 'PaintDemo'])
const json = (place: { content: Record<string, { schema: object }> }) => place.content['application/json']?.schema ?? {}

test('actions on one path are one operation that names them all', () => {
  assert.equal(shown.operationId, 'moveDemoOrPaintDemo')
  assert.equal(shown.summary, 'MoveDemo or PaintDemo')
  assert.deepEqual(shown.tags, ['demo'])
  for (const { structure, summary } of actions)
    assert.match(shown.description, new RegExp(`^- \`${structure}\` .*${summary}$`, 'm'))
})

const bodies: [body: object, fits: boolean][] = [
  [{ moveDemo: { metres: 3 } }, true],
  [{ moveDemo: { metres: 3 }, systemTags: ['a::b'], userTags: ['c'] }, true],
  [{ paintDemo: {} }, true],
  [{ paintDemo: { color: 'red' } }, true],
  [{}, false],
  [{ userTags: ['c'] }, false],
  [{ moveDemo: {} }, false],
  [{ moveDemo: { color: 'red' } }, false],
  [{ moveDemo: { metres: 3 }, paintDemo: {} }, false],
  [{ params: {} }, false],
]
for (const [body, fits] of bodies)
  test(`${JSON.stringify(body)} is ${fits ? 'one' : 'none'} of the bodies`, () => {
    assert.equal(shown.requestBody.required, true)
    assert.equal(Check(json(shown.requestBody), body), fits)
  })

test('the answer is that of one of them, and 202 where one of them may be repeated', () => {
  const answer = json(shown.responses['200'])
  for (const fitting of [{}, { success: true, error: null, color: 'red' }]) assert.ok(Check(answer, fitting))
  assert.ok(!Check(answer, []))
  assert.deepEqual(Object.keys(shown.responses), ['200', '202', '400', '401', '403', '404', '409', '429', 'default'])
})

test('answers differ in the fields that they require', () => {
  const measureDemo = { ...moveDemo, name: 'MeasureDemo', structure: 'measureDemo', answer: { metres: Integer(1, 9) } }
  const answer = json(written([paintDemo, measureDemo] as unknown as Actions).responses['200'])
  for (const fitting of [{ color: 'red' }, { metres: 3 }])
    assert.ok(Check(answer, { success: true, error: null, ...fitting }), JSON.stringify(fitting))
  for (const other of [
    {},
    { success: true, error: null },
    { color: 'red' },
    { success: true, error: null, metres: 10 },
  ])
    assert.ok(!Check(answer, other), JSON.stringify(other))
})

test('an empty answer requires nothing and may have fields in a later version, so any object fits it', () => {
  const { anyOf } = json(shown.responses['200']) as { anyOf: { title: string; required?: string[] }[] }
  assert.deepEqual(
    anyOf.map(({ title, required }) => [title, required]),
    [
      ['MoveDemoAnswer', undefined],
      ['PaintDemoAnswer', ['success', 'error', 'color']],
    ],
  )
})

test('parameters and errors are united, each once', () => {
  const names = shown.parameters.map(({ name, $ref }: { name?: string; $ref?: string }) => name ?? $ref)
  assert.deepEqual(names, [
    'uuid',
    ...['Prefer', 'ApiTimeout', 'IdempotencyKey', 'JobUuid'].map((name) => `#/components/parameters/${name}`),
  ])
  assert.deepEqual(new Set(shown['x-errors']), new Set(actions.flatMap(errorsOf)))
  assert.equal(new Set(shown['x-errors']).size, shown['x-errors'].length)
})

test('together they are as old as the oldest, and open to whom one of them is', () => {
  for (const order of [actions, actions.toReversed() as unknown as Actions]) {
    const { 'x-since': since, 'x-permission': permission, parameters } = written(order)
    assert.deepEqual([since, permission, parameters[0]['x-since']], ['4.10.6', 'operate', '4.10.6'])
  }
})

test('each action has its own description', () => {
  const [move, paint] = shown['x-operations']
  assert.deepEqual(move, {
    name: 'MoveDemo',
    structure: 'moveDemo',
    summary: 'Move it',
    'x-since': '4.10.6',
    'x-permission': 'administer',
    'x-timeout-seconds': 60,
    'x-errors': errorsOf(actions[0]),
  })
  assert.deepEqual([paint.name, paint['x-permission'], 'x-timeout-seconds' in paint], ['PaintDemo', 'operate', false])
})

test('all are served, some or none', () => {
  const marks = (served: string[]) => {
    const group = written(actions, served)
    return [group, ...group['x-operations']].map((place) => place['x-served'])
  }
  assert.deepEqual(marks(['MoveDemo', 'PaintDemo']), [undefined, undefined, undefined])
  assert.deepEqual(marks(['PaintDemo']), [undefined, false, undefined])
  assert.deepEqual(marks([]), [false, false, false])
})

test('an action without a structure stops the generation', () => {
  const { structure: _, ...nameless } = paintDemo
  assert.throws(() => written([moveDemo, nameless] as unknown as Actions), /PaintDemo.*structure/)
})

const ownForms = [
  'sendalerts',
  'getuploadoffset',
  'senduploadslice',
  'terminateupload',
  'requestdeviceauthorization',
  'requestdevicetoken',
  'receiveoidclogout',
  'receiveoidcresponse',
]

test('the document has every operation once, alone or among the actions of its path', () => {
  const document = openapi({ served: () => true }) as {
    paths: Record<string, Record<string, { operationId: string; 'x-operations'?: { name: string }[] }>>
  }
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const ids = all.map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  const names = all.flatMap((one) => one['x-operations']?.map(({ name }) => name) ?? one.operationId)
  assert.deepEqual(
    names.map((name) => name.toLowerCase()).toSorted(),
    // and what is sent to us in a form of its own
    [...operations.map(({ name }) => name.toLowerCase()), ...ownForms].toSorted(),
  )
  const onHosts = document.paths['/v1/hosts/{uuid}/actions']?.put
  assert.deepEqual(
    onHosts?.['x-operations']?.map(({ name }) => name),
    ['ChangeHostState', 'ReconnectHost', 'RotateHostKey', 'UpdateHost'],
  )
})

test('versions are ordered by their numbers, those of the interface before our own', () => {
  const ordered = ['0.6', '3.6.0', '3.10', '4.2.0', '4.10', '4.10.6', '4.10.20', '5.0.0', 'wharf-1.0.0', 'wharf-1.10.0']
  assert.deepEqual(ordered.toReversed().toSorted(olderFirst), ordered)
})
