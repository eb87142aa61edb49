import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sampled } from '@wharf/testkit/sampled.ts'
import { checkEntries } from './check-entries.ts'
import type { Elaboration } from './elaboration.ts'
import { ElaborationSet } from './elaboration-set.ts'
import { readEntries } from './read-entries.ts'
import { cpuDeadline, SearchTimeout } from './search-deadline.ts'
import { maxSearchMs, SearchThread } from './search-thread.ts'
import { TextSearch } from './text-search.ts'

/** The limit, and the one pattern that runs when it is reached. */
const maxTotalMs = 600
const textLength = 16_384

const entries = (patterns: readonly string[], method: 'regex' | 'distance' = 'regex'): Elaboration[] =>
  readEntries(
    JSON.stringify(patterns.map((regex, code) => ({ category: 'SYS', code, regex, method, message_en: 'x' }))),
    'hostile.json',
  ).entries as Elaboration[]

/** Enough to exceed the limits; reading them takes most of the time of a test. */
const patternCount = process.env.TEST_LONG ? 10_000 : 3000
const many = (make: (index: number) => string): string[] =>
  Array.from({ length: patternCount }, (_, index) => make(index))
let seed = 1
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}
const shuffled = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
/** Of this thread, so that other work of the machine does not count. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
/** 676 triples of letters that start with q. */
const letters = [...'abcdefghijklmnopqrstuvwxyz']
const triples = letters.flatMap((a) => letters.map((b) => `q${a}${b}`))
/** The text of all triples contains the required texts of each, but not the end. */
const alternatives = (from: number, more: string): string =>
  Array.from({ length: 60 }, (_, index) => `${triples[(index * 7 + from) % triples.length]}.*${more}`).join('|')
const noise = `error ${shuffled('ab', textLength - 6)}`

const sets: { name: string; patterns: string[]; text: string; method?: 'distance' }[] = [
  { name: 'states that double with every character', patterns: many((n) => `error.*a[ab]{60}(?:y${n})`), text: noise },
  { name: 'a window behind every character', patterns: many((n) => `error.*a.{${100 + (n % 800)}}(?:y)`), text: noise },
  { name: 'many stars', patterns: many((n) => `error(?:.*a){30}.{20}(?:y${n})`), text: noise },
  { name: 'repeats within repeats', patterns: many((n) => `error.*((a{0,5}){0,5}){0,5}(?:z${n})`), text: noise },
  {
    name: 'patterns that almost match',
    patterns: many((n) => `error[^z]*(?:z${n})`),
    text: `error ${'a'.repeat(16_000)}`,
  },
  {
    name: 'a text that contains every word',
    patterns: many((n) => `w${n % 3000} .*x{9}`),
    text: many((n) => `w${n} `)
      .join('')
      .slice(0, textLength),
  },
  {
    name: 'alternatives of which the text contains all but the end',
    patterns: many((n) => `${alternatives(n, 'zzz')}${n}`).slice(0, 3000),
    text: triples.join(' '),
  },
  {
    name: 'alternatives that all have to be tried',
    patterns: many((n) => alternatives(n, `qzz{${2 + (n % 8)}}`)).slice(0, 3000),
    text: triples.join(' '),
  },
  { name: 'ranges that take long to compile', patterns: many((n) => `error[B-\\x{FFFF}](?:y${n})`), text: noise },
  {
    name: 'classes that take long to compile',
    patterns: many((n) => `error${'\\p{L}'.repeat(40)}(?:y${n})`),
    text: noise,
  },
  {
    name: 'word classes that take long to compile',
    patterns: many((n) => `error${'\\w'.repeat(300)}(?:y${n})`),
    text: noise,
  },
  {
    name: 'long patterns of few steps',
    patterns: many((n) => `error${'(?:a|'.repeat(250)}${n}${')'.repeat(250)}(?:y)`).slice(0, 3000),
    text: noise,
  },
  {
    name: 'sentences of one length and the same letters',
    patterns: many(() => shuffled('abcd', 1000)),
    text: shuffled('abcd', 1000),
    method: 'distance',
  },
  {
    name: 'a keyword that almost occurs everywhere',
    patterns: many((n) => `ab${'a'.repeat(1000)}y${n}`).slice(0, 3000),
    text: `${'a'.repeat(900)}b`,
  },
  {
    name: 'words that every entry contains',
    patterns: many((n) => `error by ten of us ${n}`),
    text: 'u t o f y b e r',
  },
]

for (const { name, patterns, text, method } of sampled(sets, 4))
  test(`a search ends within its limit of processor time: ${name}`, (t) => {
    const search = new TextSearch(new ElaborationSet(entries(patterns, method)))
    const times: number[] = []
    // two of three: the first search compiles our own code, and some collect garbage
    while (times.length < 3 && times.filter((ms) => ms < maxTotalMs).length < 2) {
      const began = cpuMs()
      try {
        search.find(text, undefined, cpuDeadline(maxSearchMs))
      } catch (error) {
        assert.ok(error instanceof SearchTimeout)
      }
      times.push(cpuMs() - began)
    }
    const shown = times.map((ms) => ms.toFixed(1)).join(' ')
    t.diagnostic(`${shown} ms`)
    assert.ok(times.filter((ms) => ms < maxTotalMs).length >= 2, shown)
  })

const hostileSearch = (t: TestContext, patterns: string[]): SearchThread => {
  const search = new SearchThread(entries(patterns))
  t.after(() => search.close())
  return search
}

test('the event loop is free while a search runs, and the next search is answered', async (t) => {
  const search = hostileSearch(
    t,
    many((n) => `error.*a[ab]{60}(?:y${n})|found ${n}`),
  )
  assert.equal((await search.find('found 7'))[0]?.code, '7')
  const began = cpuMs()
  await assert.rejects(search.find(noise), SearchTimeout)
  const spent = cpuMs() - began
  assert.ok(spent < maxSearchMs / 2, `the main thread spent ${spent} ms`)
  assert.equal((await search.find('found 8'))[0]?.code, '8')
})

test('a pattern that does not end ends with its thread, and another thread answers the next search', async (t) => {
  // larger than checkEntries admits
  const search = hostileSearch(t, [`error.*a${'.{0,900}'.repeat(20)}(?:y)`, 'found'])
  await assert.rejects(search.find(noise), SearchTimeout)
  assert.equal((await search.find('found'))[0]?.code, '1')
})

test('a set that needs too much memory ends with its thread', async (t) => {
  const search = hostileSearch(
    t,
    many((n) => `error.*a[ab]{60}(?:y${n})`),
  )
  for (let round = 0; round < (process.env.TEST_LONG ? 20 : 3); round++)
    await search
      .find(`error ${shuffled('ab', 4000)}`)
      .catch((error: unknown) => assert.ok(error instanceof SearchTimeout))
  assert.ok(process.memoryUsage().rss < 700 * 2 ** 20, `${process.memoryUsage().rss}`)
})

const refused: [name: string, patterns: string[], reason: RegExp][] = [
  [
    'a text that is not a pattern, quoted as it was written',
    ['(?:a'],
    /^regex cannot be used: .*missing closing.*: `\(\?:a`$/,
  ],
  ['classes too large', ['abc[B-\\x{FFFF}][一-龥]{2}[一-龥][一-龥][一-龥]'], /^its classes cover \d+ characters/],
  ['a lookahead, which takes more than linear time', ['a(?=b)'], /regex cannot be used: .*Perl syntax/],
  ['a back reference', ['(abc)\\1'], /regex cannot be used/],
  ['a pattern too large', ['abc((a{0,9}){0,9}){0,9}'], /^regex takes \d+ steps, more than 1000/],
  ['a pattern that matches every text', ['a*'], /^regex matches the empty text/],
  ['one pattern twice', ['abc', 'ABC'], /^it explains the same as an earlier entry of hostile\.json/],
  [
    'too many without plain text',
    Array.from({ length: 33 }, (_, n) => `[a-z]{${n + 1}}`),
    /requires no three plain characters/,
  ],
]
for (const [name, patterns, reason] of refused)
  test(`is refused by the check: ${name}`, async () => {
    const problems = await checkEntries([{ fileName: 'hostile.json', entries: entries(patterns), problems: [] }])
    assert.equal(problems.length, 1)
    assert.match(problems[0]?.reason ?? '', reason)
    assert.equal(problems[0]?.fileName, 'hostile.json')
  })
