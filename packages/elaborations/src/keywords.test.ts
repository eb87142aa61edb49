import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Elaboration } from './elaboration.ts'
import { ElaborationSet } from './elaboration-set.ts'
import { findWord } from './keyword-search.ts'
import { cpuDeadline, SearchTimeout } from './search-deadline.ts'
import { TextSearch } from './text-search.ts'

const entry = (
  code: string,
  regex: string | null,
  message_en: string,
  more: Partial<Elaboration> = {},
): Elaboration => ({
  category: 'SYS',
  code,
  regex,
  message_cn: null,
  message_en,
  source: 'test',
  method: regex === null ? null : 'regex',
  distance: null,
  example: null,
  ...more,
})

const entries = [
  entry('1001', 'cannot open (\\S+): no space left', 'The disk is full. Delete what is not needed.', {
    message_cn: '磁盘空间已满。请删除不需要的文件。',
  }),
  entry('1002', 'wharf\\.json is refused by (\\S+)', 'Look at the diskette, and at how full it is.'),
  entry('1003', null, 'Full of words: a disk, a HOST.', { message_cn: '主机磁盘异常。' }),
  entry('7', 'the host is away, because (\\S+)', 'See SYS.1003 and 1003 files of the host named {host}.', {
    category: 'Host',
    message_cn: '主机不可达。',
  }),
]
const searchIn = (among: Elaboration[]) => new TextSearch(new ElaborationSet(among))
const search = searchIn(entries)

const rows: { name: string; text: string; category?: string; codes: string[] }[] = [
  { name: 'a word of a message, whole words first', text: 'disk', codes: ['SYS.1003', 'SYS.1001', 'SYS.1002'] },
  { name: 'a word in any case', text: 'DISK', codes: ['SYS.1003', 'SYS.1001', 'SYS.1002'] },
  { name: 'a phrase before the same words apart', text: 'disk is full', codes: ['SYS.1001', 'SYS.1003', 'SYS.1002'] },
  { name: 'all words, in any order', text: 'full, disk!', codes: ['SYS.1003', 'SYS.1001', 'SYS.1002'] },
  { name: 'part of a word', text: 'iskett', codes: ['SYS.1002'] },
  { name: 'a word of a pattern, without its escapes', text: 'wharf.json', codes: ['SYS.1002'] },
  { name: 'a pattern as it is written', text: 'open (\\S+): no', codes: ['SYS.1001'] },
  { name: 'a number that is a code, that code first', text: '1003', codes: ['SYS.1003', 'Host.7'] },
  { name: 'a category', text: 'host', category: 'host', codes: ['Host.7'] },
  { name: 'a category that contains nothing of it', text: 'diskette', category: 'host', codes: [] },
  { name: 'Chinese', text: '磁盘', codes: ['SYS.1003', 'SYS.1001'] },
  { name: 'Chinese words apart', text: '磁盘已满', codes: ['SYS.1001'] },
  { name: 'both languages together', text: '主机 disk', codes: ['SYS.1003'] },
  { name: 'a word that no entry contains', text: 'disk frobnicator', codes: [] },
  { name: 'nothing but a space', text: ' ', codes: [] },
  { name: 'no words at all', text: '{', codes: ['Host.7'] },
  { name: 'an entry that explains the text, and no other', text: 'the host is away, because x', codes: ['Host.7'] },
  { name: 'a text longer than a keyword', text: 'disk '.repeat(300), codes: [] },
]
for (const { name, text, category, codes } of rows)
  test(`by keyword: ${name}`, () => {
    const found = search.find(text, category)
    assert.deepEqual(
      found.map((one) => `${one.category}.${one.code}`),
      codes,
    )
    const isExplained = search.explain(text, category) !== undefined
    assert.ok(found.every(({ method, distance }) => (method !== null) === isExplained && distance === null))
  })

test('by keyword: at most 50 entries, the same ones in the same order every time', () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    entry(String(100 + index), null, `disk ${'x'.repeat(index % 7)}`),
  )
  const found = searchIn(many)
    .find('disk')
    .map(({ code }) => Number(code))
  assert.equal(found.length, 50)
  assert.deepEqual(found.slice(0, 3), [100, 107, 114])
  assert.deepEqual(
    searchIn(many.toReversed())
      .find('disk')
      .map(({ code }) => Number(code)),
    found,
  )
})

test('a keyword search that takes too long ends at its deadline', () => {
  const hostile = Array.from({ length: 1000 }, (_, index) => entry(String(index), null, `ab${'a'.repeat(4000)}`))
  assert.throws(() => searchIn(hostile).find(`${'a'.repeat(1000)}b`, undefined, cpuDeadline(1)), SearchTimeout)
  const usual = Array.from({ length: 10_000 }, (_, index) =>
    entry(String(index), null, `${'some words '.repeat(30)}${index}`),
  )
  assert.deepEqual(
    searchIn(usual)
      .find('words 9876')
      .map(({ code }) => code),
    ['9876'],
  )
})

const occurrences: [word: string, text: string, found: string][] = [
  ['abab', 'xx abaabab', 'part'],
  ['abab', 'xx abababab yy', 'part'],
  ['aab', 'aaaab aab', 'whole'],
  ['aab', 'aaaa', 'absent'],
  ['é', 'café', 'part'],
  ['磁盘', '主机磁盘异常', 'whole'],
  ['a', 'a', 'whole'],
  ['ab', 'a', 'absent'],
]
for (const [word, text, found] of occurrences)
  test(`${word} in ${text} is ${found}`, () => {
    assert.equal(findWord(text, word), found)
  })
