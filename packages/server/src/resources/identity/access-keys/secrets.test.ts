import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, assertFailure, Client, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { database, sealing } = server.app.foundation
const reader = await server.signIn('reader')
const own = { accountUuid: reader.accountUuid, userUuid: reader.accountUuid }
const secret = 'the-secret-of-this-key'

const create = (headers: Record<string, string> = {}, more: object = {}): Promise<Answer> =>
  reader.post('/v1/accesskeys', { params: { ...own, AccessKeySecret: secret, ...more } }, headers)
const uuidOf = (answer: Answer): string => (answer.body.inventory as { uuid: string }).uuid

test('a secret is in the response that created it and in no other', async () => {
  const made = await create()
  assert.equal((made.body.inventory as { AccessKeySecret: string }).AccessKeySecret, secret)
  const path = `/v1/accesskeys/${uuidOf(made)}`
  const disable = { changeAccessKeyState: { stateEvent: 'disable' } }
  const answers = [
    await reader.get(path),
    await server.admin.get(path),
    await reader.get('/v1/accesskeys'),
    await reader.put(`${path}/actions`, disable),
  ]
  for (const answer of answers) {
    assert.equal(answer.status, 200, answer.text)
    assert.ok(!answer.text.includes(secret))
    assert.match(answer.text, /"AccessKeySecret":null/)
  }
})

test('the repeated call, by its idempotency key, returns no secret', async () => {
  const headers = { 'idempotency-key': 'make-this-key-once' }
  const first = await create(headers)
  const second = await create(headers)
  assert.equal(second.status, 200)
  assert.equal(uuidOf(second), uuidOf(first))
  assert.equal((second.body.inventory as { AccessKeySecret: null }).AccessKeySecret, null)
})

test('a secret cannot be selected, queried or sorted by', async () => {
  for (const query of [
    'fields=AccessKeySecret',
    `q=AccessKeySecret=${secret}`,
    'q=AccessKeySecret~=%25',
    'sort=AccessKeySecret',
    'q=sealedSecret~=%25',
  ]) {
    assertFailure(await server.admin.get(`/v1/accesskeys?${query}`), { status: 400, code: 'SYS.1007' })
  }
})

test('secrets are sealed in the database, each for its own key', async () => {
  const [one, two] = [await create(), await create()]
  const rows = await database.read
    .selectFrom('accessKeys')
    .selectAll()
    .where('uuid', 'in', [uuidOf(one), uuidOf(two)])
    .execute()
  const [first, second] = rows
  assert.ok(first && second)
  for (const row of rows) {
    assert.ok(!Buffer.from(row.sealedSecret).includes(secret))
    assert.equal(sealing.open(row.sealedSecret, `accessKeys.secret.${row.AccessKeyID}`), secret)
  }
  assert.notDeepEqual(first.sealedSecret, second.sealedSecret)
  assert.throws(() => sealing.open(first.sealedSecret, `accessKeys.secret.${second.AccessKeyID}`))
})

test('a sealed secret that was moved to another key opens nothing', async () => {
  const key = async (words: string) =>
    (await create({}, { AccessKeySecret: words })).body.inventory as { uuid: string; AccessKeyID: string }
  const [mine, other] = [await key('known-to-the-thief'), await key('not-known-to-anyone')]
  await database.transaction(async (tx) => {
    const { sealedSecret } = await tx
      .selectFrom('accessKeys')
      .select('sealedSecret')
      .where('uuid', '=', mine.uuid)
      .executeTakeFirstOrThrow()
    await tx.updateTable('accessKeys').set({ sealedSecret }).where('uuid', '=', other.uuid).execute()
  })
  const thief = new Client(server.url, { kind: 'key', id: other.AccessKeyID, secret: 'known-to-the-thief' })
  assert.notEqual((await thief.get('/v1/tags')).status, 200)
})
