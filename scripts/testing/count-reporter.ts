import { basename } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import type { Engine } from './test-plan.ts'

/** The result of one run on one engine, for the closing lines of scripts/test.ts. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  /** Each with its reason. */
  readonly skipped: readonly string[]
  readonly failedFiles: readonly string[]
}

export const fileTestName = (file: string, engine: Engine): string =>
  engine === 'sqlite' ? file : `${file} (${engine})`

/** Writes nothing when the run is interrupted, so that half a run is not taken for a whole one. */
export default async function* countReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const ofEngines: Partial<Record<Engine, MutableCounts>> = {}
  // the events of a file come one after the other and end with that of the file
  let ofFile = noCounts()
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file === undefined) yield JSON.stringify(ofEngines)
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const isFile = data.nesting === 0
    if (!isFile || type === 'test:fail') count(ofFile, type, data, isFile)
    if (!isFile) continue
    const { file, engine } = readFileTest(data.name)
    if (ofFile.failed > 0) ofFile.failedFiles.push(file)
    const counts = ofEngines[engine] ?? noCounts()
    ofEngines[engine] = counts
    counts.passed += ofFile.passed
    counts.failed += ofFile.failed
    counts.skipped.push(...ofFile.skipped)
    counts.failedFiles.push(...ofFile.failedFiles)
    ofFile = noCounts()
  }
}

interface MutableCounts extends Counts {
  passed: number
  failed: number
  skipped: string[]
  failedFiles: string[]
}

const noCounts = (): MutableCounts => ({ passed: 0, failed: 0, skipped: [], failedFiles: [] })

type TestResult = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data']

function count(counts: MutableCounts, type: 'test:pass' | 'test:fail', data: TestResult, isFile: boolean): void {
  if (data.details.type === 'suite') return
  if (type === 'test:pass') {
    if (data.skip === undefined) counts.passed++
    else
      counts.skipped.push(typeof data.skip === 'string' && data.skip !== '' ? `${data.name}: ${data.skip}` : data.name)
    return
  }
  const { failureType } = (data.details as { error: { failureType?: string } }).error
  // the tests of the file are counted already
  if (data.todo === undefined && !(isFile && failureType === 'subtestsFailed')) counts.failed++
}

/** A process that ends before its files do is reported by the name of its entry, `3-postgres.mjs`. */
function readFileTest(name: string): { file: string; engine: Engine } {
  const [, file = name] = /^(.*\.test\.ts)(?: \(\w+\))?$/.exec(name) ?? []
  const engine = name.endsWith(' (postgres)') || basename(name).endsWith('-postgres.mjs') ? 'postgres' : 'sqlite'
  return { file, engine }
}
