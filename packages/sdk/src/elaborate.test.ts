import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { elaborate } from './elaborate.ts'
import { WharfError } from './error.ts'
import { Wharf } from './wharf.ts'

const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
const requests: URL[] = []
const wharf = new Wharf({
  url: server.url,
  accessKey: { id, secret },
  fetch: (input, init) => {
    requests.push(new URL(String(input)))
    return fetch(input, init)
  },
})

const refusalOf = async (client: Wharf): Promise<WharfError> => {
  const error = await client.tags.delete('0'.repeat(32)).catch((thrown: unknown) => thrown)
  return error instanceof WharfError ? error : assert.fail(String(error))
}

test('elaboration explains an error in both languages', async () => {
  const error = await refusalOf(wharf)
  assert.equal(requests.length, 1)
  const english = await error.elaboration()
  const chinese = await error.elaboration('zh')
  assert.equal(english?.content.category, 'SYS')
  assert.match(english?.text ?? '', /^[\x20-\x7e\n“”’–…]+$/)
  assert.match(chinese?.text ?? '', /\p{Script=Han}/u)
})

test('looks up the error text first, without the request id', async () => {
  const error = await refusalOf(wharf)
  requests.length = 0
  await error.elaboration()
  const text = requests[0]?.searchParams.get('regex') ?? ''
  assert.ok(error.details.startsWith(text) && text.length > 0)
  assert.doesNotMatch(text, /\(request /)
})

test('returns undefined without permission', async () => {
  const anonymous = new Wharf({ url: server.url, session: '0'.repeat(32) })
  assert.equal(await (await refusalOf(anonymous)).elaboration(), undefined)
})

test('looks up the code when only keywords match', async () => {
  const error = await refusalOf(wharf)
  const [first] = (await wharf.elaborations.find({ code: error.code })).contents
  const inputs: unknown[] = []
  const call = async (_: unknown, input: object) => {
    inputs.push(input)
    return {
      contents: 'regex' in input ? [{ ...first, code: '1', method: null }] : [first],
    }
  }
  assert.deepEqual(await elaborate(call as Parameters<typeof elaborate>[0], error), first)
  assert.deepEqual(inputs[1], { code: error.code })
})
