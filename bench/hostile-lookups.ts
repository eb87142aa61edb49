import { readEntries } from '@wharf/elaborations/read-entries.ts'
import { SearchTimeout } from '@wharf/elaborations/search-deadline.ts'
import { SearchThread } from '@wharf/elaborations/search-thread.ts'

const textLength = 16_384
const repeats = 3

/** The same in every run. */
let seed = 1
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}
const shuffled = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
const numbers = (count = 10_000): number[] => Array.from({ length: count }, (_, index) => index)

const noise = `error ${shuffled('ab', textLength - 6)}`
const letters = [...'abcdefghijklmnopqrstuvwxyz']
const triples = letters.flatMap((a) => letters.map((b) => `q${a}${b}`))
/** Each has in it what the text has, and needs one thing more. */
const alternatives = (from: number, more: string): string =>
  numbers(60)
    .map((index) => `${triples[(index * 7 + from) % triples.length]}.*${more}`)
    .join('|')

interface Hostile {
  readonly entries: readonly string[]
  readonly text: string
  readonly method?: 'distance'
}

/** Catalogues that an operator is allowed to load, and for each the text that costs it most. */
const hostile = (): Hostile[] => [
  { text: noise, entries: numbers().map((n) => `error.*a[ab]{60}(?:y${n})`) },
  { text: noise, entries: numbers().map((n) => `error.*a.{${100 + (n % 800)}}(?:y)`) },
  { text: noise, entries: numbers().map((n) => `error(?:.*a){30}.{20}(?:y${n})`) },
  { text: noise, entries: numbers().map((n) => `error.*((a{0,5}){0,5}){0,5}(?:z${n})`) },
  { text: noise, entries: numbers().map((n) => `error${'\\p{L}'.repeat(40)}(?:y${n})`) },
  { text: noise, entries: numbers().map((n) => `error[B-\\x{FFFF}](?:y${n})`) },
  { text: noise, entries: numbers(3000).map((n) => `error${'(?:a|'.repeat(250)}${n}${')'.repeat(250)}(?:y)`) },
  { text: `error ${'a'.repeat(16_000)}`, entries: numbers().map((n) => `error[^z]*(?:z${n})`) },
  {
    text: numbers()
      .map((n) => `w${n} `)
      .join('')
      .slice(0, textLength),
    entries: numbers().map((n) => `w${n % 3000} .*x{9}`),
  },
  { text: triples.join(' '), entries: numbers(3000).map((n) => alternatives(n, `qzz{${2 + (n % 8)}}`)) },
  { text: shuffled('abcd', 1000), entries: numbers().map(() => shuffled('abcd', 1000)), method: 'distance' },
]

/** Sets of entries, each with the text that is to be explained. */
export const hostileLookups = (): { search: SearchThread; text: string }[] =>
  hostile().map(({ entries, text, method = 'regex' }) => {
    const listed = entries.map((regex, code) => ({ category: 'SYS', code, regex, method, message_en: 'x' }))
    const { entries: read } = readEntries(JSON.stringify(listed), 'hostile.json')
    if (read.length !== entries.length) throw new Error('some of the entries were refused when they were read')
    return { search: new SearchThread(read), text }
  })

/** CPU milliseconds of the main thread for the slowest of all lookups, each of which is one call. */
export async function slowestLookup(lookups: readonly { search: SearchThread; text: string }[]): Promise<number> {
  const times: number[] = []
  for (let repeat = 0; repeat < repeats; repeat++)
    for (const { search, text } of lookups) {
      const before = process.threadCpuUsage()
      try {
        await search.find(text)
      } catch (error) {
        // at its limit a search fails, which is a response too
        if (!(error instanceof SearchTimeout)) throw error
      }
      const { user, system } = process.threadCpuUsage(before)
      times.push((user + system) / 1000)
    }
  return Math.max(...times)
}
