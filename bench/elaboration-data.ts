import { readFileSync } from 'node:fs'
import { readEntries } from '@wharf/elaborations/read-entries.ts'

const fixture = import.meta.resolve('@wharf/elaborations/fixtures/recorded-failures.json')

/** The texts of recorded failures. */
export function recordedTexts(): string[] {
  const failures: { details: string }[] = JSON.parse(readFileSync(new URL(fixture), 'utf8'))
  return failures.map(({ details }) => details)
}

/** Entries like those of an operator: half of them patterns, half of them sentences, in the words of real failures. */
export function generateEntries(texts: readonly string[], count: number) {
  const words = [...new Set(texts.join(' ').match(/\w+/g))]
  const word = (n: number) => words[(Math.imul(n, 0x9e3779b1) >>> 0) % words.length] ?? ''
  const entries = Array.from({ length: count }, (_, n) => {
    const parts = Array.from({ length: 6 }, (__, k) => word(n * 7 + k * 131))
    const isPattern = n % 2 === 0
    const regex = isPattern ? `${parts.slice(0, 3).join(' ')} (\\S+) .*${parts[4]} ${n}` : `${parts.join(' ')} ${n}`
    return { category: 'MADE', code: n, regex, method: isPattern ? 'regex' : 'distance', message_en: 'x' }
  })
  return readEntries(JSON.stringify(entries), 'made.json').entries
}
