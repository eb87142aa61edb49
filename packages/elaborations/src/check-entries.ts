import { setImmediate as nextTurn } from 'node:timers/promises'
import { classSize } from './class-size.ts'
import { type Elaboration, minSimilarity, type Problem } from './elaboration.ts'
import { hasGrams } from './grams.ts'
import { readPattern } from './pattern.ts'
import { type ReadEntries, shownEntry } from './read-entries.ts'
import { similarityOf } from './similarity.ts'

/** A set is held in memory and looked through whole. */
export const maxEntries = 20_000
/** Of the automaton of one pattern; `(.{50}){50}` has more. */
const maxInstructions = 1000
/** Of the classes of one pattern; six times `[一-龥]`. */
const maxClassSize = 130_000
/** They cannot be ruled out by a look at a text, so each of them is tried on each. */
const maxWithoutText = 32
/** The loop is left to others after so long. */
const maxTurnMs = 5

/**
 * What reading alone does not show: whether patterns can be run, in time, and do not stand in each other's way. Takes
 * turns with whatever else the process has to do.
 */
export async function checkEntries(files: readonly ReadEntries[]): Promise<Problem[]> {
  const problems = files.flatMap((file) => file.problems)
  const entries = files.flatMap(({ fileName, entries: own }) => own.map((entry) => ({ fileName, entry })))
  const beyond = entries[maxEntries]
  if (beyond) problems.push(about(beyond, `there may be at most ${maxEntries} entries in all`))
  const seen = new Map<string, string>()
  let withoutText = 0
  let turn = performance.now()
  for (const one of entries.slice(0, maxEntries)) {
    if (performance.now() - turn > maxTurnMs) {
      await nextTurn()
      turn = performance.now()
    }
    const { method, regex, category, code } = one.entry
    const key = `${method} ${regex ?? `${category}.${code}`}`.toLowerCase()
    const before = seen.get(key)
    seen.set(key, one.fileName ?? 'this text')
    if (method === 'regex' && !hasGrams(regex ?? '')) withoutText++
    const reason =
      before === undefined ? faultOf(one.entry, withoutText) : `it explains the same as an entry of ${before} before it`
    if (reason !== undefined) problems.push(about(one, reason))
  }
  return problems
}

const about = ({ fileName, entry }: { fileName: string | null; entry: Elaboration }, reason: string): Problem => ({
  fileName,
  content: shownEntry(entry),
  reason,
})

function faultOf({ method, regex, example }: Elaboration, withoutText: number): string | undefined {
  if (method === null || regex === null) return undefined
  if (method === 'distance')
    return example !== null && similarityOf(example, regex) < minSimilarity
      ? 'its example is not like its sentence'
      : undefined
  const classes = classSize(regex)
  if (classes > maxClassSize)
    return `its classes stand for ${classes} characters, more than ${maxClassSize}: write smaller ranges`
  try {
    const pattern = readPattern(regex)
    const size = pattern.programSize()
    if (size > maxInstructions) return `regex takes ${size} steps, more than ${maxInstructions}: write it shorter`
    if (pattern.test('')) return 'regex matches the empty text, and so every text'
    if (example !== null && !pattern.test(example)) return 'regex does not match its example'
  } catch (error) {
    return `regex cannot be used: ${(error as Error).message}`
  }
  return !hasGrams(regex) && withoutText > maxWithoutText
    ? `regex names no three characters that a text must hold, as ${maxWithoutText} patterns before it: there may be no more`
    : undefined
}
