import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, assertFailure, type Client, MovingClock, TestServer } from '@wharf/testkit'
import { SoftwarePasskey } from '../testing/software-passkey.ts'

const clock = new MovingClock()
const server = await TestServer.start({ after }, { clock })
const origin = new URL(server.url).origin
let users = 0

const act = (client: Client, structure: string, fields: object): Promise<Answer> =>
  client.put('/v1/caller-identity/actions', { [structure]: fields })
const optionsOf = (answer: Answer) => {
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(String(answer.body.options)) as { challenge: string; rpId?: string; rp?: { id: string } }
}

/** A user who is signed in, and how to sign in again. */
async function signedIn() {
  const name = `user ${users++}`
  const password = `password of ${name}`
  const client = await server.signIn('operator', name)
  const logIn = (secondFactor?: string): Promise<Answer> =>
    server.anonymous.put('/v1/accounts/login', {
      logInByAccount: { accountName: name, password, ...(secondFactor === undefined ? {} : { secondFactor }) },
    })
  const challenge = async () => {
    const { error } = (await logIn()).body as unknown as { error: { opaque: { secondFactor: { passkey: never } } } }
    return error.opaque.secondFactor.passkey as ReturnType<typeof optionsOf>
  }
  const creation = async () => optionsOf(await act(client, 'createPasskeyChallenge', { purpose: 'create', password }))
  const add = async (passkey: SoftwarePasskey): Promise<Answer> =>
    act(client, 'createPasskey', { name: 'key', response: passkey.create(await creation()) })
  return { client, password, logIn, challenge, creation, add }
}

test('a passkey proves a sign-in, each challenge once', async () => {
  const { client, logIn, challenge, add } = await signedIn()
  const passkey = new SoftwarePasskey(origin)
  const added = await add(passkey)
  assert.equal((added.body.recoveryCodes as string[]).length, 10, added.text)
  const assertion = passkey.prove(await challenge())
  const answers = await Promise.all([logIn(assertion), logIn(assertion)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
  assertFailure(await logIn(assertion), { status: 401, code: 'ID.1000' })
  const { inventory } = (await client.get('/v1/caller-identity/second-factors')).body
  const [stored] = (inventory as { passkeys: { name: string; lastUsedDate: string | null }[] }).passkeys
  assert.deepEqual([stored?.name, typeof stored?.lastUsedDate], ['key', 'string'])
})

test('an answer of another page, to another user, with another key or too late proves nothing', async () => {
  const [alice, bob] = [await signedIn(), await signedIn()]
  const [passkey, ofBob] = [new SoftwarePasskey(origin), new SoftwarePasskey(origin)]
  await alice.add(passkey)
  await bob.add(ofBob)
  const elsewhere = new SoftwarePasskey('https://wharf.example.evil')
  const refused = { status: 400, code: 'SYS.1007', details: 'createPasskey.response is not the answer of a browser' }
  assertFailure(await alice.add(elsewhere), refused)
  const ofAlice = await alice.creation()
  const stolen = { name: 'stolen', response: new SoftwarePasskey(origin).create(ofAlice) }
  assertFailure(await act(bob.client, 'createPasskey', stolen), refused)
  assertFailure(await act(bob.client, 'createPasskey', { ...stolen, response: '{' }), refused)

  const wrong = { status: 401, code: 'ID.1000' }
  const { challenge, ...rest } = await alice.challenge()
  assertFailure(await bob.logIn(ofBob.prove({ challenge, ...rest })), wrong)
  assertFailure(await alice.logIn(ofBob.prove({ challenge, ...rest })), wrong)
  assertFailure(await alice.logIn(passkey.prove({ challenge: 'aW52ZW50ZWQ', ...rest })), wrong)
  assertFailure(await alice.logIn(passkey.prove({ challenge, rpId: 'wharf.example.evil' })), wrong)
  const late = passkey.prove(await alice.challenge())
  clock.advance(300_000)
  assertFailure(await alice.logIn(late), wrong)
  assert.equal((await alice.logIn(passkey.prove(await alice.challenge()))).status, 200)
})

test('creating a passkey needs the password, removing one a factor', async () => {
  const { client, password, add, logIn } = await signedIn()
  const challenge = (fields: object) => act(client, 'createPasskeyChallenge', fields)
  assertFailure(await challenge({ purpose: 'create' }), { status: 400, code: 'SYS.1007' })
  assertFailure(await challenge({ purpose: 'create', password: 'no' }), { status: 403, code: 'ID.1002' })
  assertFailure(await challenge({ purpose: 'prove' }), { status: 409, code: 'SYS.1006' })
  const passkey = new SoftwarePasskey(origin)
  const { uuid } = (await add(passkey)).body.inventory as { uuid: string }
  assertFailure(await add(passkey), { status: 409, code: 'SYS.1002' })
  const remove = (of: string, secondFactor: string) => act(client, 'removePasskey', { passkey: of, secondFactor })
  const proof = async () => passkey.prove(optionsOf(await challenge({ purpose: 'prove', password })))
  assertFailure(await remove(uuid, '000000'), { status: 403, code: 'ID.1002' })
  assertFailure(await remove('f'.repeat(32), await proof()), { status: 404, code: 'SYS.1003' })
  assert.equal((await remove(uuid, await proof())).status, 200)
  assert.equal((await logIn()).status, 200)
})
