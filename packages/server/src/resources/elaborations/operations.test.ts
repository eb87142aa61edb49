import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { assertFailure, TestServer } from '@wharf/testkit'

const folder = mkdtempSync(join(tmpdir(), 'wharf-elaborations-'))
after(() => rmSync(folder, { recursive: true }))
const mine = [
  { category: 'Mine', code: '20', regex: 'the frobnicator (?P<name>\\w+) is stuck', message_en: 'Turn {name} off.' },
  { category: 'Mine', code: '3', message_cn: '重启', message_en: 'Restart.', source: 'night shift' },
  { category: 'Mine', code: '100', regex: 'the frobnicator hums loudly', method: 'distance', message_en: 'Oil it.' },
]
writeFileSync(join(folder, 'mine.json'), JSON.stringify(mine))
const server = await TestServer.start({ after }, { environment: { WHARF_ELABORATIONS: folder } })
const path = '/v1/errorcode/elaborations'

type Content = Record<string, unknown>
let reader = server.admin
before(async () => {
  reader = await server.signIn('reader')
})

async function find(query: Record<string, string>): Promise<Content[]> {
  const answer = await reader.get(`${path}?${new URLSearchParams(query)}`)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['contents', 'success', 'error'])
  return answer.body.contents as Content[]
}
const codesOf = (contents: Content[]) => contents.map(({ category, code }) => `${category}.${code}`)

test('an entry has all its fields', async () => {
  assert.deepEqual(await find({ category: 'mine', code: '3' }), [
    {
      category: 'Mine',
      code: '3',
      regex: null,
      message_cn: '重启',
      message_en: 'Restart.',
      source: 'night shift',
      method: null,
      distance: null,
    },
  ])
})

const lookups: { query: Record<string, string>; codes: string[] }[] = [
  { query: { category: 'MINE' }, codes: ['Mine.3', 'Mine.20', 'Mine.100'] },
  { query: { category: 'Mine', code: '20' }, codes: ['Mine.20'] },
  { query: { category: 'Mine', code: 'mine.20' }, codes: ['Mine.20'] },
  { query: { category: 'SYS', code: 'Mine.20' }, codes: [] },
  { query: { code: 'mine.20' }, codes: ['Mine.20'] },
  { query: { category: 'all', code: 'Mine.20' }, codes: ['Mine.20'] },
  { query: { category: 'Mine', code: '21' }, codes: [] },
  { query: { category: 'nothing' }, codes: [] },
  { query: { regex: 'THE frobnicator x is\nstuck' }, codes: [] },
  { query: { regex: 'look: THE frobnicator x7 is stuck' }, codes: ['Mine.20'] },
  { query: { regex: 'the frobnicator x7 is stuck', code: '1' }, codes: ['Mine.20'] },
  { query: { regex: 'the frobnicator x7 is stuck', category: 'SYS' }, codes: [] },
  { query: { regex: 'the frobnicator x7 is stuck', category: 'all' }, codes: ['Mine.20'] },
  { query: { regex: 'the frobnicator hums loudli' }, codes: ['Mine.100'] },
  { query: { regex: 'nobody knows this' }, codes: [] },
  { query: { regex: 'FROBNICATOR' }, codes: ['Mine.100', 'Mine.20'] },
  { query: { regex: 'loudly frobnicator' }, codes: ['Mine.100'] },
  { query: { regex: '重启', category: 'mine' }, codes: ['Mine.3'] },
  { query: { regex: 'frobnicator', category: 'SYS' }, codes: [] },
  { query: { regex: '', category: 'Mine', code: '3' }, codes: ['Mine.3'] },
]
for (const { query, codes } of lookups)
  test(`${JSON.stringify(query)} finds ${codes.join(', ') || 'nothing'}`, async () => {
    assert.deepEqual(codesOf(await find(query)), codes)
  })

test('a match fills the placeholders, and a similar sentence has its distance', async () => {
  const [matched] = await find({ regex: 'the frobnicator x7 is stuck' })
  assert.partialDeepStrictEqual(matched, { message_en: 'Turn x7 off.', distance: null, source: 'mine.json' })
  const [similar] = await find({ regex: 'the frobnicator hums loudli' })
  assert.ok(Number(similar?.distance) > 0.95 && Number(similar?.distance) < 1)
})

test('without a category, or with all, every entry is listed in the order of categories and codes', async () => {
  const all = await find({})
  assert.deepEqual(await find({ category: 'ALL' }), all)
  const { body } = await reader.get(`${path}/categories`)
  const categories = body.categories as { category: string; num: number }[]
  assert.deepEqual(
    [...new Set(all.map(({ category }) => category))],
    categories.map(({ category }) => category),
  )
  assert.equal(
    categories.reduce((sum, { num }) => sum + num, 0),
    all.length,
  )
  assert.deepEqual(
    categories.find(({ category }) => category === 'Mine'),
    { category: 'Mine', num: 3 },
  )
  for (const { category } of categories) {
    const codes = all.filter((one) => one.category === category).map(({ code }) => Number(code))
    assert.deepEqual(
      codes,
      codes.toSorted((a, b) => a - b),
    )
  }
})

const refusals: { name: string; query: string; details: string | RegExp }[] = [
  { name: 'a bare number', query: 'code=1001', details: 'add its category, or write it as SYS.1001' },
  { name: 'a bare number beside all', query: 'category=all&code=1001', details: 'add its category' },
  { name: 'a code that is none', query: 'category=SYS&code=abc', details: 'code must be a number' },
  { name: 'an unknown field', query: 'text=x', details: 'unknown field "text"' },
]
for (const { name, query, details } of refusals)
  test(`refuses ${name}`, async () => {
    assertFailure(await reader.get(`${path}?${query}`), { status: 400, code: 'SYS.1007', details })
  })

const reload = (as = server.admin) => as.put('/v1/errorcode/actions', { reloadElaboration: {} })

test('a reload needs an admin, reads the files again, and names a bad one', async () => {
  assertFailure(await reload(await server.signIn('operator')), { status: 403, code: 'ID.1002' })
  writeFileSync(join(folder, 'mine.json'), JSON.stringify(mine.slice(1)))
  const answer = await reload()
  assert.deepEqual(answer.body, { success: true, error: null })
  assert.deepEqual(codesOf(await find({ category: 'Mine' })), ['Mine.3', 'Mine.100'])
  writeFileSync(join(folder, 'worse.json'), '[{"category":"Mine"}]')
  const failure = await reload()
  assertFailure(failure, { status: 409, code: 'SYS.1006', details: 'worse.json: entry 1: code must be a number' })
  assert.deepEqual(codesOf(await find({ category: 'Mine' })), ['Mine.3', 'Mine.100'])
  assert.equal((await find({ regex: String(failure.body.error?.details) }))[0]?.category, 'SYS')
  rmSync(join(folder, 'worse.json'))
})

const check = (params: Record<string, unknown>) => server.admin.post(`${path}/check`, { params })

test('a check lists the problems of each entry and changes nothing', async () => {
  const content = JSON.stringify([mine[0], { ...mine[1], code: 'x' }, { ...mine[2], regex: null }])
  const { body } = await check({ elaborateContent: content })
  assert.deepEqual(body.results, [
    {
      fileName: null,
      content: JSON.stringify({ ...mine[1], code: 'x' }),
      reason: 'entry 2: code must be a number, without its category',
    },
    {
      fileName: null,
      content: JSON.stringify({ ...mine[2], regex: null }),
      reason: 'entry 3: method is distance, but regex is missing',
    },
  ])
  assert.deepEqual((await check({ elaborateContent: JSON.stringify(mine) })).body.results, [])
  const [whole] = (await check({ elaborateContent: '{' })).body.results as Content[]
  assert.partialDeepStrictEqual(whole, { fileName: null, content: null })
  assert.match(String(whole?.reason), /^it is not JSON/)
})

test('a check takes a text and no file, and fails at once even with a job uuid', async () => {
  assertFailure(await check({ elaborateFile: '/etc/passwd' }), { status: 400, code: 'SYS.1014' })
  assertFailure(await check({}), { status: 400, code: 'SYS.1007', details: 'elaborateContent is required' })
  const headers = { 'x-job-uuid': 'a'.repeat(32) }
  const answer = await server.admin.post(`${path}/check`, { params: {} }, headers)
  assertFailure(answer, { status: 400, code: 'SYS.1007' })
})

test('a reload with an idempotency key happens once', async () => {
  const headers = { 'idempotency-key': 'reload-1' }
  const again = () => server.admin.put('/v1/errorcode/actions', { reloadElaboration: {} }, headers)
  assert.equal((await again()).status, 200)
  writeFileSync(join(folder, 'late.json'), JSON.stringify([{ category: 'Late', code: 1, message_en: 'x' }]))
  assert.equal((await again()).status, 200)
  assert.deepEqual(await find({ category: 'Late' }), [])
})
