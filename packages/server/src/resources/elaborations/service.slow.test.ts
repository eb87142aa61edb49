import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readBuiltInCatalogue } from '@wharf/elaborations/built-in-catalogue.ts'
import { makeLog } from '@wharf/platform/log.ts'
import { ElaborationService } from './service.ts'

const root = mkdtempSync(join(tmpdir(), 'wharf-elaborations-'))
after(() => rmSync(root, { recursive: true }))
const own = readBuiltInCatalogue().length
let folders = 0

function folderWith(files: Record<string, unknown>): {
  folder: string
  write: (name: string, content: unknown) => void
} {
  const folder = mkdtempSync(join(root, `${++folders}-`))
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  for (const [name, content] of Object.entries(files)) write(name, content)
  return { folder, write }
}

function serviceOn(elaborations: string | undefined) {
  const lines: string[] = []
  const log = makeLog('info', { write: (line) => void lines.push(line) })
  const service = new ElaborationService({ settings: elaborations === undefined ? {} : { elaborations }, log })
  after(() => service.stop())
  return { service, lines }
}

const mine = { category: 'MINE', code: 7, regex: 'the frobnicator is stuck', message_en: 'Turn it off and on.' }

test("the operator's files are read at the start and at every reload", async () => {
  const { folder, write } = folderWith({ 'a.json': [mine], '.hidden.json': 'x', 'notes.txt': 'x' })
  const { service } = serviceOn(folder)
  await service.start()
  const [found] = await service.search('The Frobnicator is stuck again')
  assert.deepEqual(found, { ...mine, code: '7', message_cn: null, source: 'a.json', method: 'regex', distance: null })
  write('b.json', [{ ...mine, code: '8', regex: null }])
  await service.reload()
  assert.deepEqual(
    service.list({ category: 'mine' }).map(({ code, source }) => [code, source]),
    [
      ['7', 'a.json'],
      ['8', 'b.json'],
    ],
  )
})

test("an operator's pattern takes precedence over one of Wharf's own of the same length", async () => {
  const ours = readBuiltInCatalogue().find(({ method }) => method === 'regex')
  const { folder } = folderWith({ 'a.json': [{ ...mine, regex: ours?.regex, example: ours?.example }] })
  const { service } = serviceOn(folder)
  await service.start()
  assert.equal((await service.search(ours?.example ?? ''))[0]?.category, 'MINE')
})

const bad: [name: string, content: unknown, reason: RegExp][] = [
  ['no JSON', '[{', /bad\.json: it is not JSON: /],
  ['no UTF-8', Buffer.from([0x5b, 0xff, 0x5d]), /bad\.json: it is not UTF-8/],
  ['no list', { entries: [] }, /bad\.json: it must be a JSON list/],
  ['no object', [mine, 5], /bad\.json: entry 2: it must be a JSON object/],
  ['an unknown field', [{ ...mine, regexp: 'x' }], /entry 1: it has an unknown field "regexp"/],
  ['no category', [{ ...mine, category: 'a.b' }], /category must be a word/],
  ['the category all', [{ ...mine, category: 'All' }], /category must be a word/],
  ['a code with its category', [{ ...mine, code: 'MINE.7' }], /code must be a number/],
  ['no message', [{ ...mine, message_en: null }], /message_cn or message_en is required/],
  ['an empty message', [{ ...mine, message_en: ' ' }], /message_en must be a text/],
  ['an unknown method', [{ ...mine, method: 'glob' }], /method must be regex or distance/],
  ['a method without a pattern', [{ ...mine, regex: null, method: 'regex' }], /regex is missing/],
  [
    'a placeholder without a group',
    [{ ...mine, message_en: 'on {host}' }],
    /contains \{host\}, but regex has no group/,
  ],
  ['an example that it does not match', [{ ...mine, example: 'else' }], /regex does not match its example/],
  ['a sentence too long', [{ ...mine, method: 'distance', regex: 'x'.repeat(1025) }], /at most 1024 characters/],
  ['a pattern that is none', [{ ...mine, regex: '(' }], /bad\.json: regex cannot be used/],
]
test('a reload with a bad file names it and changes nothing', async (t) => {
  const { folder, write } = folderWith({ 'a.json': [mine] })
  const { service } = serviceOn(folder)
  await service.start()
  write('a.json', [])
  for (const [name, content, reason] of bad)
    await t.test(name, async () => {
      if (Buffer.isBuffer(content)) writeFileSync(join(folder, 'bad.json'), content)
      else write('bad.json', content)
      await assert.rejects(service.reload(), { code: 'SYS.1006', message: reason })
      assert.equal(service.list({ category: 'MINE' }).length, 1, 'the valid file of the same reload is not used either')
    })
})

test('only regular files are read: a FIFO or a folder is refused and does not block', async () => {
  const { folder } = folderWith({ 'a.json': [mine] })
  const { service } = serviceOn(folder)
  await service.start()
  execFileSync('sh', ['-c', 'mkfifo pipe.json'], { cwd: folder })
  await assert.rejects(service.reload(), { code: 'SYS.1006', message: /pipe\.json: it is not a regular file/ })
  rmSync(join(folder, 'pipe.json'))
  mkdirSync(join(folder, 'folder.json'))
  await assert.rejects(service.reload(), { code: 'SYS.1006', message: /folder\.json: it is not a regular file/ })
  assert.equal(service.list({ category: 'MINE' }).length, 1)
})

test('a file is read up to its limit, and a link to one is read', async () => {
  const { folder, write } = folderWith({ 'a.txt': [mine] })
  symlinkSync(join(folder, 'a.txt'), join(folder, 'a.json'))
  const { service } = serviceOn(folder)
  await service.start()
  assert.equal(service.list({ category: 'MINE' }).length, 1)
  write('large.json', ' '.repeat(8 * 2 ** 20 + 1))
  await assert.rejects(service.reload(), { code: 'SYS.1006', message: /large\.json: it is larger than 8388608 bytes/ })
  write('large.json', `[]${' '.repeat(8 * 2 ** 20 - 2)}`)
  await service.reload()
})

test('a folder that does not exist or is not readable is named in the error', async () => {
  const { service, lines } = serviceOn(join(root, 'missing'))
  await service.start()
  assert.match(lines.join(''), /"level":"error".*missing/)
  assert.equal(service.list({}).length, own, "Wharf's own entries are used")
  await assert.rejects(service.reload(), { code: 'SYS.1016', message: /missing: no such file or directory/ })
  const { folder } = folderWith({ 'a.json': [mine] })
  chmodSync(join(folder, 'a.json'), 0)
  if (process.getuid?.() !== 0)
    await assert.rejects(serviceOn(folder).service.reload(), { code: 'SYS.1016', message: /a\.json/ })
})

test('a reload without a folder does nothing', async () => {
  const { service } = serviceOn(undefined)
  await service.reload()
  assert.equal(service.list({}).length, own)
})

test('a list during reloads is the old set or the new one, never a mixture', async () => {
  const version = (n: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...mine,
      code: index,
      regex: `version ${n} of entry ${index} here`,
    }))
  const { folder, write } = folderWith({ 'a.json': version(0, 400), 'b.json': [] })
  const { service } = serviceOn(folder)
  await service.start()
  let isDone = false
  const seen = new Set<string>()
  const reading = (async () => {
    for (; !isDone; await nextTurn()) {
      const entries = service.list({ category: 'MINE' })
      const versions = new Set(entries.map(({ regex }) => regex?.slice(0, 9)))
      assert.equal(versions.size, 1, [...versions].join())
      seen.add(`${[...versions][0]} ${entries.length}`)
    }
  })()
  for (let n = 1; n <= 3; n++) {
    // both files together have 400 entries; one without the other has fewer, or of two versions
    write('a.json', version(n, 400).slice(0, 150))
    write('b.json', version(n, 400).slice(150))
    await Promise.all([service.reload(), service.reload()])
    assert.equal((await service.search(`version ${n} of entry 399 here`))[0]?.code, '399')
    const old = `version ${n - 1} of entry 399 here`
    assert.ok((await service.search(old)).every(({ regex }) => regex !== old))
  }
  isDone = true
  await reading
  assert.ok(
    [...seen].every((one) => one.endsWith(' 400')),
    [...seen].join(),
  )
})
