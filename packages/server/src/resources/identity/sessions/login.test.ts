import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, test } from 'node:test'
import { type Answer, Client, TestServer } from '@wharf/testkit'

const sha512 = (text: string): string => hash('sha512', text, 'hex')
const password = 'Paß wörd; 100% "ours" '
const userPassword = 'the password of carol'

const server = await TestServer.start({ after })
const uuidOf = (answer: Answer): string => (answer.body.inventory as { uuid: string }).uuid
const account = uuidOf(
  await server.admin.post('/v1/accounts', { params: { name: 'harbour', password, role: 'operator' } }),
)
const carol = { accountUuid: account, name: 'carol', password: userPassword, role: 'reader' }
const user = uuidOf(await server.admin.post('/v1/users', { params: carol }))

const byAccount = (fields: object) => server.anonymous.put('/v1/accounts/login', { logInByAccount: fields })
const byUser = (fields: object) => server.anonymous.put('/v1/accounts/users/login', { logInByUser: fields })

const accepted: { name: string; log: () => ReturnType<typeof byAccount>; asUser: string }[] = [
  {
    name: 'an account with its password',
    log: () => byAccount({ accountName: 'harbour', password }),
    asUser: account,
  },
  {
    name: 'an account with the SHA-512 of its password',
    log: () => byAccount({ accountName: 'harbour', password: sha512(password) }),
    asUser: account,
  },
  {
    name: 'an account whose name has spaces around it',
    log: () => byAccount({ accountName: '  harbour ', password }),
    asUser: account,
  },
  {
    name: 'an account, with the fields that client libraries add',
    log: () => byAccount({ accountName: 'harbour', password, accountType: 'x', captchaUuid: 'x', verifyCode: 'x' }),
    asUser: account,
  },
  {
    name: 'a user, the account by name',
    log: () => byUser({ accountName: 'harbour', userName: 'carol', password: userPassword }),
    asUser: user,
  },
  {
    name: 'a user, the account by uuid',
    log: () => byUser({ accountUuid: account, userName: 'carol', password: userPassword }),
    asUser: user,
  },
  {
    name: 'a user with the SHA-512 of its password',
    log: () => byUser({ accountUuid: account, userName: 'carol', password: sha512(userPassword) }),
    asUser: user,
  },
  {
    name: 'the built-in user of an account by its name',
    log: () => byUser({ accountName: 'harbour', userName: 'harbour', password }),
    asUser: account,
  },
]

for (const { name, log, asUser } of accepted) {
  test(`signs in ${name}`, async () => {
    const answer = await log()
    assert.equal(answer.status, 200, answer.text)
    const inventory = answer.body.inventory as Record<string, string>
    assert.deepEqual(Object.keys(inventory).sort(), ['accountUuid', 'createDate', 'expiredDate', 'userUuid', 'uuid'])
    assert.match(inventory.uuid ?? '', /^[0-9a-f]{32}$/)
    assert.equal(inventory.accountUuid, account)
    assert.equal(inventory.userUuid, asUser)
    const lifetime = Date.parse(`${inventory.expiredDate} UTC`) - Date.parse(`${inventory.createDate} UTC`)
    assert.equal(lifetime, 2 * 3_600_000)
    const client = new Client(server.url, { kind: 'session', uuid: inventory.uuid ?? '' })
    assert.equal((await client.get('/v1/tags')).status, 200)
  })
}

test('two sign-ins are two sessions', async () => {
  const answers = await Promise.all([1, 2].map(() => byAccount({ accountName: 'harbour', password })))
  assert.equal(new Set(answers.map(uuidOf)).size, 2)
})

const refused: { name: string; log: () => ReturnType<typeof byAccount>; status?: number; code?: string }[] = [
  { name: 'a wrong password', log: () => byAccount({ accountName: 'harbour', password: 'no' }) },
  {
    name: 'a password without its last blank',
    log: () => byAccount({ accountName: 'harbour', password: password.trimEnd() }),
  },
  {
    name: 'the SHA-512 in capitals',
    log: () => byAccount({ accountName: 'harbour', password: sha512(password).toUpperCase() }),
  },
  {
    name: 'the SHA-512 of the SHA-512',
    log: () => byAccount({ accountName: 'harbour', password: sha512(sha512(password)) }),
  },
  { name: 'a name in another case', log: () => byAccount({ accountName: 'Harbour', password }) },
  { name: 'an unknown account', log: () => byAccount({ accountName: 'nobody', password }) },
  { name: 'a user in the place of an account', log: () => byAccount({ accountName: 'carol', password: userPassword }) },
  {
    name: "another user's password",
    log: () => byUser({ accountName: 'harbour', userName: 'carol', password }),
  },
  {
    name: 'an account name and an account uuid that differ',
    log: () => byUser({ accountName: 'admin', accountUuid: account, userName: 'carol', password: userPassword }),
  },
  {
    name: 'a user without its account',
    log: () => byUser({ userName: 'carol', password: userPassword }),
    status: 400,
    code: 'SYS.1007',
  },
  { name: 'no password', log: () => byAccount({ accountName: 'harbour' }), status: 400, code: 'SYS.1007' },
  {
    name: 'an empty password',
    log: () => byAccount({ accountName: 'harbour', password: '' }),
    status: 400,
    code: 'SYS.1007',
  },
]

for (const { name, log, status = 401, code = 'ID.1000' } of refused) {
  test(`does not sign in ${name}`, async () => {
    const { database } = server.app.foundation
    const count = () => database.read.selectFrom('sessions').select('hash').execute()
    const before = await count()
    const answer = await log()
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.body.error?.code, code)
    if (status === 401) assert.match(answer.body.error?.details ?? '', /^wrong name or password \(request /)
    assert.deepEqual(await count(), before)
  })
}
