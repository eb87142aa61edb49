import { setImmediate as nextTurn } from 'node:timers/promises'
import { characterClassSize } from './character-class-size.ts'
import { type Elaboration, minSimilarity, type Problem } from './elaboration.ts'
import { compilePattern } from './pattern.ts'
import { hasTrigram } from './pattern-index.ts'
import { quoteEntry, type ReadEntries } from './read-entries.ts'
import { similarityOf } from './similarity.ts'

/** A set is in memory, and a keyword search reads all of it. */
export const maxEntries = 20_000
/** Of the program of one pattern; `(.{50}){50}` has more. */
const maxInstructions = 1000
/** Of the classes of one pattern; six times `[一-龥]`. */
const maxClassSize = 130_000
/** The index cannot exclude them, so each is tried on every text. */
const maxWithoutTrigram = 32
/** How long the check uses the event loop before it yields. */
const maxTurnMs = 5

/**
 * Finds the faults that `readEntries` cannot: patterns that do not compile, are too large, do not match their example,
 * or repeat another one. Yields to the event loop.
 */
export async function checkEntries(files: readonly ReadEntries[]): Promise<Problem[]> {
  const problems = files.flatMap((file) => file.problems)
  const entries = files.flatMap(({ fileName, entries: own }) => own.map((entry) => ({ fileName, entry })))
  const beyond = entries[maxEntries]
  if (beyond) problems.push(problemOf(beyond, `the files may have at most ${maxEntries} entries in total`))
  const seen = new Map<string, string>()
  let withoutTrigram = 0
  let turnStart = performance.now()
  for (const read of entries.slice(0, maxEntries)) {
    if (performance.now() - turnStart > maxTurnMs) {
      await nextTurn()
      turnStart = performance.now()
    }
    const { method, regex, category, code } = read.entry
    const key = `${method} ${regex ?? `${category}.${code}`}`.toLowerCase()
    const before = seen.get(key)
    seen.set(key, read.fileName ?? 'this text')
    if (method === 'regex' && !hasTrigram(regex ?? '')) withoutTrigram++
    const reason =
      before === undefined
        ? faultOf(read.entry, withoutTrigram)
        : `it explains the same as an earlier entry of ${before}`
    if (reason !== undefined) problems.push(problemOf(read, reason))
  }
  return problems
}

const problemOf = ({ fileName, entry }: { fileName: string | null; entry: Elaboration }, reason: string): Problem => ({
  fileName,
  content: quoteEntry(entry),
  reason,
})

function faultOf({ method, regex, example }: Elaboration, withoutTrigram: number): string | undefined {
  if (method === null || regex === null) return undefined
  if (method === 'distance')
    return example !== null && similarityOf(example, regex) < minSimilarity
      ? 'its example is not similar to its sentence'
      : undefined
  const classes = characterClassSize(regex)
  if (classes > maxClassSize)
    return `its classes cover ${classes} characters, more than ${maxClassSize}: write smaller ranges`
  try {
    const pattern = compilePattern(regex)
    const size = pattern.programSize()
    if (size > maxInstructions) return `regex takes ${size} steps, more than ${maxInstructions}: write it shorter`
    if (pattern.test('')) return 'regex matches the empty text, and so every text'
    if (example !== null && !pattern.test(example)) return 'regex does not match its example'
  } catch (error) {
    return `regex cannot be used: ${(error as Error).message}`
  }
  return !hasTrigram(regex) && withoutTrigram > maxWithoutTrigram
    ? `regex requires no three plain characters in a row, like ${maxWithoutTrigram} patterns before it, which is the limit`
    : undefined
}
