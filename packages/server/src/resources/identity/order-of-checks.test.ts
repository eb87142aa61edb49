import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, assertFailure, Client, TestServer } from '@wharf/testkit'

/**
 * Each row has several errors at once; the response shows which one is checked first:
 * route, authenticate, authorise, validate, find, act.
 */
const server = await TestServer.start({ after })
const { database } = server.app.foundation
const { admin, anonymous } = server
const reader = await server.signIn('reader')
const operator = await server.signIn('operator')
const stranger = new Client(server.url, { kind: 'session', uuid: 'no-such-session' })
const missingUuid = 'f'.repeat(32)
const adminUuid = server.bootstrap.accountUuid
await admin.post('/v1/tags', { params: { name: 'taken' } })

const tooLong = JSON.stringify({ params: { name: 'x'.repeat(300 * 1024) } })
const jobUuid = { 'x-job-uuid': 'a'.repeat(32) }

const rows: { name: string; send: () => Promise<Answer>; status: number; code: string }[] = [
  // before authentication
  {
    name: 'an unknown path is not found',
    send: () => stranger.post('/v1/nothing', '{'),
    status: 404,
    code: 'SYS.1003',
  },
  {
    name: 'an unknown method is not allowed',
    send: () => stranger.put('/v1/tags', '{'),
    status: 405,
    code: 'SYS.1007',
  },
  {
    name: 'a path with an escaped slash is invalid',
    send: () => anonymous.get('/v1/tags/a%2Fb'),
    status: 400,
    code: 'SYS.1007',
  },

  // authenticate → authorise
  {
    name: 'an anonymous caller gets 401, not 403',
    send: () => anonymous.post('/v1/accounts', {}),
    status: 401,
    code: 'ID.1001',
  },
  {
    name: 'an ended session is reported before a missing permission',
    send: () => stranger.post('/v1/accounts', {}),
    status: 401,
    code: 'ID.1001',
  },

  // authenticate → validate
  {
    name: 'an anonymous caller gets no details about a malformed body',
    send: () => anonymous.post('/v1/tags', '{'),
    status: 401,
    code: 'ID.1001',
  },
  {
    name: 'an anonymous caller gets no details about a body that is too long',
    send: () => anonymous.post('/v1/tags', tooLong),
    status: 401,
    code: 'ID.1001',
  },
  {
    name: 'an anonymous caller gets no details about a wrong content type',
    send: () => anonymous.post('/v1/tags', 'x', { 'content-type': 'text/plain' }),
    status: 401,
    code: 'ID.1001',
  },
  {
    name: 'an anonymous caller gets no details about an unknown field',
    send: () => anonymous.get('/v1/tags?x=1'),
    status: 401,
    code: 'ID.1001',
  },
  {
    name: 'an anonymous caller gets no failed job',
    send: () => anonymous.post('/v1/tags', {}, jobUuid),
    status: 401,
    code: 'ID.1001',
  },

  // authenticate → find
  {
    name: 'an anonymous caller does not learn which records exist',
    send: () => anonymous.get(`/v1/tags/${missingUuid}`),
    status: 401,
    code: 'ID.1001',
  },

  // authorise → validate
  {
    name: 'a reader gets no details about a malformed body',
    send: () => reader.post('/v1/tags', '{'),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'a reader gets no details about a body that is too long',
    send: () => reader.post('/v1/tags', tooLong),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'a reader gets no details about a wrong content type',
    send: () => reader.post('/v1/tags', 'x', { 'content-type': 'text/plain' }),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'a reader gets no details about a missing field',
    send: () => reader.post('/v1/tags', { params: {} }),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'a reader gets no details about a wrong header',
    send: () => reader.post('/v1/tags', {}, { 'x-api-timeout': 'soon' }),
    status: 403,
    code: 'ID.1002',
  },
  ...[
    { what: 'a malformed body', body: '{' },
    { what: 'a body that is too long', body: tooLong },
    { what: 'a body without an action', body: {} },
    { what: 'an action that does not exist', body: { changeHostColour: {} } },
  ].map(({ what, body }) => ({
    name: `a reader gets no details about ${what} at a path with several actions`,
    send: () => reader.put(`/v1/hosts/${missingUuid}/actions`, body),
    status: 403,
    code: 'ID.1002',
  })),
  {
    name: 'an operator gets no details about a wrong role',
    send: () => operator.put(`/v1/users/${missingUuid}/actions`, { updateUser: { role: 'x' } }),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: "an operator gets no details about another's account",
    send: () => operator.put(`/v1/accounts/${adminUuid}/actions`, '{'),
    status: 403,
    code: 'ID.1002',
  },

  // authorise → find
  {
    name: 'a reader does not learn which records exist',
    send: () => reader.delete(`/v1/tags/${missingUuid}`),
    status: 403,
    code: 'ID.1002',
  },
  {
    name: 'an operator does not learn which accounts exist',
    send: () => operator.delete(`/v1/accounts/${missingUuid}`),
    status: 403,
    code: 'ID.1002',
  },

  // validate → find
  {
    name: 'an unknown field is reported before a missing record',
    send: () => admin.put(`/v1/users/${missingUuid}/actions`, { updateUser: { x: 1 } }),
    status: 400,
    code: 'SYS.1007',
  },
  {
    name: 'a missing field is reported before a missing record',
    send: () => admin.put(`/v1/accounts/${missingUuid}/actions`, { updateAccount: {} }),
    status: 400,
    code: 'SYS.1007',
  },
  {
    name: 'a wrong value is reported before a missing record',
    send: () => reader.put(`/v1/accesskeys/${missingUuid}/actions`, { changeAccessKeyState: { stateEvent: 'x' } }),
    status: 400,
    code: 'SYS.1007',
  },
  {
    name: 'a missing reference is reported after the fields',
    send: () => admin.post('/v1/users', { params: { accountUuid: missingUuid, name: 'x' } }),
    status: 400,
    code: 'SYS.1007',
  },

  // find → act
  {
    name: 'a missing reference is reported before a duplicate',
    send: () =>
      admin.post('/v1/users', { params: { accountUuid: missingUuid, name: 'admin', password: 'a long password' } }),
    status: 404,
    code: 'SYS.1003',
  },
  {
    name: 'a duplicate is reported last',
    send: () => operator.post('/v1/tags', { params: { name: 'taken' } }),
    status: 409,
    code: 'SYS.1002',
  },
]

for (const { name, send, status, code } of rows) {
  test(name, async () => {
    const count = () =>
      database.read.selectFrom('events').select('sequence').where('resourceType', '!=', 'ManagementNode').execute()
    const before = await count()
    assertFailure(await send(), { status, code })
    assert.deepEqual(await count(), before)
  })
}
