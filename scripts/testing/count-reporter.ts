import { resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** What one run of the test runner came to, for the line that scripts/test.ts ends with. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  /** Each with its reason. */
  readonly skipped: readonly string[]
  /** Where those stand that failed. */
  readonly failedFiles: readonly string[]
}

/** Writes nothing when the run is interrupted, so that half a run is not taken for a whole one. */
export default async function* countReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const skipped: string[] = []
  const failedFiles = new Set<string>()
  let failed = 0
  let files = 0
  for await (const { type, data } of events) {
    if (type === 'test:fail') {
      const { failureType } = data.details.error as { failureType?: string }
      const isOfItsTests = isFile(data) && failureType === 'subtestsFailed'
      if (data.details.type !== 'suite' && data.todo === undefined && !isOfItsTests) {
        failed++
        // what a file does before its tests fails the file itself, which is run by another one
        failedFiles.add(isFile(data) ? resolve(data.name) : (data.file ?? ''))
      }
    } else if (type === 'test:pass') {
      if (data.skip !== undefined) skipped.push(describe(data.name, data.skip))
      else if (isFile(data)) files++
    } else if (type === 'test:summary' && data.file === undefined) {
      const counts: Counts = { passed: data.counts.passed - files, failed, skipped, failedFiles: [...failedFiles] }
      yield JSON.stringify(counts)
    }
  }
}

/** Files that share a process are tests that hold those of the file, and Node passes a file without any as one. */
const isFile = ({ name, nesting }: { name: string; nesting: number }): boolean =>
  nesting === 0 && name.endsWith('.test.ts')

function describe(name: string, reason: string | boolean): string {
  return typeof reason === 'string' && reason !== '' ? `${name}: ${reason}` : name
}
