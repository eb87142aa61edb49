import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Integer, operation, Text } from '@wharf/contract'
import { assertFailure, TestServer } from '@wharf/testkit'
import { handle } from '../calls/bind.ts'

const shared = {
  resource: 'demo',
  method: 'PUT',
  path: '/v1/demo/{uuid}/actions',
  summary: 'One of two',
  since: 'wharf-1.0.0',
} as const
const paint = operation({
  ...shared,
  name: 'PaintDemo',
  structure: 'paintDemo',
  permission: 'operate',
  fields: { color: Text(32) },
  answer: { color: Text(32) },
})
const move = operation({
  ...shared,
  name: 'MoveDemo',
  structure: 'moveDemo',
  permission: 'administer',
  fields: { metres: Integer(1, 9) },
  answer: { metres: Integer(1, 9) },
})

test('the structure in the body selects the action of a path', async (t) => {
  const server = await TestServer.start(t, {
    extend: () => [
      handle(paint, async ({ fields }) => ({ color: fields.color })),
      handle(move, async ({ fields }) => ({ metres: fields.metres })),
    ],
  })
  const operator = await server.signIn('operator')
  const reader = await server.signIn('reader')
  const path = `/v1/demo/${'a'.repeat(32)}/actions`

  assert.equal((await operator.put(path, { paintDemo: { color: 'red' } })).body.color, 'red')
  assert.equal((await server.admin.put(path, { moveDemo: { metres: 3 } })).body.metres, 3)
  assertFailure(await operator.put(path, { moveDemo: { metres: 3 } }), {
    status: 403,
    code: 'ID.1002',
    details: /MoveDemo/,
  })
  assertFailure(await reader.put(path, { nonsense: 1 }), { status: 403, code: 'ID.1002' })
  assertFailure(await server.anonymous.put(path, { paintDemo: {} }), { status: 401, code: 'ID.1001' })
  for (const body of [undefined, {}, { other: {} }, { paintDemo: { color: 'red' }, moveDemo: { metres: 3 } }])
    assertFailure(await operator.put(path, body), { status: 400, code: 'SYS.1007', details: /paintDemo, moveDemo/ })
  assertFailure(await operator.put(path, { paintDemo: {} }), {
    status: 400,
    code: 'SYS.1007',
    details: /paintDemo\.color/,
  })
  assertFailure(await operator.put(path, { paintDemo: { color: 'red', size: 1 } }), {
    status: 400,
    code: 'SYS.1007',
    details: /size/,
  })
})
