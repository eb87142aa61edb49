import { resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** What one run of `node --test` came to, for the line that scripts/test.ts ends with. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  /** Each with its reason. */
  readonly skipped: readonly string[]
}

/** Writes nothing when the run is interrupted, so that half a run is not taken for a whole one. */
export default async function* countReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const skipped: string[] = []
  let failed = 0
  let filesWithoutTests = 0
  for await (const { type, data } of events) {
    if (type === 'test:fail') {
      if (data.details.type !== 'suite' && data.todo === undefined) failed++
    } else if (type === 'test:pass') {
      if (data.skip !== undefined) skipped.push(describe(data.name, data.skip))
      // Node counts a file that holds no test as a test of that name, and passes it.
      else if (resolve(data.name) === data.file) filesWithoutTests++
    } else if (type === 'test:summary' && data.file === undefined) {
      const counts: Counts = { passed: data.counts.passed - filesWithoutTests, failed, skipped }
      yield JSON.stringify(counts)
    }
  }
}

function describe(name: string, reason: string | boolean): string {
  return typeof reason === 'string' && reason !== '' ? `${name}: ${reason}` : name
}
