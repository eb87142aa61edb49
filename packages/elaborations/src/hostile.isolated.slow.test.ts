import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkEntries } from './check-entries.ts'
import type { Elaboration } from './elaboration.ts'
import { ElaborationSet } from './elaboration-set.ts'
import { Fuel, lookupFuel, OutOfFuel } from './fuel.ts'
import { readEntries } from './read-entries.ts'

const maxLookupMs = 50
const textLength = 16_384

const entries = (patterns: readonly string[], method: 'regex' | 'distance' = 'regex'): Elaboration[] =>
  readEntries(
    JSON.stringify(patterns.map((regex, code) => ({ category: 'SYS', code, regex, method, message_en: 'x' }))),
    'hostile.json',
  ).entries as Elaboration[]

const many = (make: (index: number) => string): string[] => Array.from({ length: 10_000 }, (_, index) => make(index))
let seed = 1
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}
const shuffled = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
/** Of this thread: what else the machine does is not counted. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
/** 676 times three letters that begin with q. */
const letters = [...'abcdefghijklmnopqrstuvwxyz']
const triples = letters.flatMap((a) => letters.map((b) => `q${a}${b}`))
/** Each of them holds what the text of all triples does, and needs one thing more. */
const alternatives = (from: number, more: string): string =>
  Array.from({ length: 60 }, (_, index) => `${triples[(index * 7 + from) % triples.length]}.*${more}`).join('|')
const noise = `error ${shuffled('ab', textLength - 6)}`

const sets: { name: string; patterns: string[]; text: string; method?: 'distance' }[] = [
  { name: 'states that double with every character', patterns: many((n) => `error.*a[ab]{60}y${n}`), text: noise },
  { name: 'a window behind every character', patterns: many((n) => `error.*a.{${100 + (n % 800)}}y`), text: noise },
  { name: 'many stars', patterns: many((n) => `error(?:.*a){30}.{20}y${n}`), text: noise },
  { name: 'repeats within repeats', patterns: many((n) => `error.*((a{0,5}){0,5}){0,5}z${n}`), text: noise },
  {
    name: 'patterns that all but match',
    patterns: many((n) => `error[^z]*z${n}`),
    text: `error ${'a'.repeat(16_000)}`,
  },
  {
    name: 'a text that holds every word',
    patterns: many((n) => `w${n % 3000} .*x{9}`),
    text: many((n) => `w${n} `)
      .join('')
      .slice(0, textLength),
  },
  {
    name: 'alternatives of which the text holds all but the end',
    patterns: many((n) => `${alternatives(n, 'zzz')}${n}`).slice(0, 3000),
    text: triples.join(' '),
  },
  {
    name: 'alternatives that all have to be tried',
    patterns: many((n) => alternatives(n, `qzz{${2 + (n % 8)}}`)).slice(0, 3000),
    text: triples.join(' '),
  },
  { name: 'ranges that take long to read', patterns: many((n) => `error[B-\\x{FFFF}]y${n}`), text: noise },
  { name: 'classes that take long to read', patterns: many((n) => `error${'\\p{L}'.repeat(40)}y${n}`), text: noise },
  { name: 'words that take long to read', patterns: many((n) => `error${'\\w'.repeat(300)}y${n}`), text: noise },
  {
    name: 'long patterns of few steps',
    patterns: many((n) => `error${'(?:a|'.repeat(250)}${n}${')'.repeat(250)}y`).slice(0, 3000),
    text: noise,
  },
  {
    name: 'sentences of one length and the same letters',
    patterns: many(() => shuffled('abcd', 1000)),
    text: shuffled('abcd', 1000),
    method: 'distance',
  },
  {
    name: 'a keyword that all but occurs everywhere',
    patterns: many((n) => `ab${'a'.repeat(1000)}y${n}`).slice(0, 3000),
    text: `${'a'.repeat(900)}b`,
  },
  {
    name: 'words that every entry contains',
    patterns: many((n) => `error by ten of us ${n}`),
    text: 'u t o f y b e r',
  },
]

for (const { name, patterns, text, method } of sets)
  test(`a lookup ends in ${maxLookupMs} ms: ${name}`, (t) => {
    const set = new ElaborationSet(entries(patterns, method))
    const times: number[] = []
    for (let round = 0; round < 7; round++) {
      const fuel = new Fuel()
      const began = cpuMs()
      try {
        set.find(text, undefined, fuel)
      } catch (error) {
        assert.ok(error instanceof OutOfFuel)
        // what stopped it is the work, which was counted and is bounded: nothing is ever charged as much at once
        assert.ok(fuel.left < lookupFuel && fuel.left > -lookupFuel / 2, String(fuel.left))
      }
      times.push(cpuMs() - began)
    }
    // the middle one: the first compile our own code, and some collect garbage
    const middle = times.sort((a, b) => a - b)[3] ?? Number.NaN
    t.diagnostic(`${middle.toFixed(1)} ms`)
    assert.ok(middle < maxLookupMs, times.map((ms) => ms.toFixed(1)).join(' '))
  })

test('every alternative that is looked at is paid for, each once', () => {
  const patterns = many((n) => `${alternatives(n, 'zzz')}${n}`).slice(0, 1000)
  const fuel = new Fuel()
  assert.equal(new ElaborationSet(entries(patterns)).explain(triples.join(' '), undefined, fuel), undefined)
  const spent = lookupFuel - fuel.left
  assert.ok(spent > 1000 * 59 * 4 && spent < 1000 * 60 * 8, String(spent))
})

test('what was made for a hostile text is let go of, so that memory has an end', () => {
  const set = new ElaborationSet(entries(many((n) => `error.*a[ab]{60}y${n}`)))
  const tries = () => {
    for (let round = 0; round < 30; round++) {
      try {
        set.explain(`error ${shuffled('ab', 4000)}`)
      } catch {}
    }
    return process.memoryUsage().heapUsed
  }
  tries()
  const before = tries()
  assert.ok(tries() - before < 200 * 2 ** 20)
})

const refused: [name: string, patterns: string[], reason: RegExp][] = [
  ['no pattern, which is shown as it was written', ['(?:a'], /^regex cannot be used: .*missing closing.*: `\(\?:a`$/],
  ['classes too large', ['abc[B-\\x{FFFF}][一-龥]{2}[一-龥][一-龥][一-龥]'], /^its classes stand for \d+ characters/],
  ['looking ahead, which takes more than linear time', ['a(?=b)'], /regex cannot be used: .*Perl syntax/],
  ['looking back at a group', ['(abc)\\1'], /regex cannot be used/],
  ['a pattern too large', ['abc((a{0,9}){0,9}){0,9}'], /^regex takes \d+ steps, more than 1000/],
  ['what matches everything', ['a*'], /^regex matches the empty text/],
  ['one pattern twice', ['abc', 'ABC'], /^it explains the same as an entry of hostile\.json/],
  ['too many that name no text', Array.from({ length: 33 }, (_, n) => `[a-z]{${n + 1}}`), /names no three characters/],
]
for (const [name, patterns, reason] of refused)
  test(`is refused when it is read: ${name}`, async () => {
    const problems = await checkEntries([{ fileName: 'hostile.json', entries: entries(patterns), problems: [] }])
    assert.equal(problems.length, 1)
    assert.match(problems[0]?.reason ?? '', reason)
    assert.equal(problems[0]?.fileName, 'hostile.json')
  })
