import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { elaborate } from './elaborate.ts'
import { WharfError } from './error.ts'
import { Wharf } from './wharf.ts'

const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
const asked: URL[] = []
const wharf = new Wharf({
  url: server.url,
  accessKey: { id, secret },
  fetch: (input, init) => {
    asked.push(new URL(String(input)))
    return fetch(input, init)
  },
})

const refused = async (client: Wharf): Promise<WharfError> => {
  const error = await client.tags.delete('0'.repeat(32)).catch((thrown: unknown) => thrown)
  return error instanceof WharfError ? error : assert.fail(String(error))
}

test('an error tells what it means in both languages, when it is asked', async () => {
  const error = await refused(wharf)
  assert.equal(asked.length, 1)
  const english = await error.elaboration()
  const chinese = await error.elaboration('zh')
  assert.equal(english?.content.category, 'SYS')
  assert.match(english?.text ?? '', /^[\x20-\x7e\n“”’–…]+$/)
  assert.match(chinese?.text ?? '', /\p{Script=Han}/u)
})

test('it is asked about its own words first, without the id of the request', async () => {
  const error = await refused(wharf)
  asked.length = 0
  await error.elaboration()
  const words = asked[0]?.searchParams.get('regex') ?? ''
  assert.ok(error.details.startsWith(words) && words.length > 0)
  assert.doesNotMatch(words, /\(request /)
})

test('whoever may not ask gets nothing, and no second error', async () => {
  const nobody = new Wharf({ url: server.url, session: '0'.repeat(32) })
  assert.equal(await (await refused(nobody)).elaboration(), undefined)
})

test('entries that only contain its words do not explain it: then its code does', async () => {
  const error = await refused(wharf)
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
