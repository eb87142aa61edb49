import { resolve } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { fileTestName } from './count-reporter.ts'
import type { TestProcess } from './test-plan.ts'

/**
 * Runs test files in this process, one after the other, each with its own hooks. A file is a test that contains the tests
 * of the file; count-reporter.ts leaves it out. The first test of a file starts while the file is still being read, so
 * what tests use is declared above them.
 */
export function runTogether({ engine, files }: TestProcess, fileMs: number): void {
  // what all files of the process share, such as a browser, ends after the last of them
  const endings: (() => Promise<void>)[] = []
  Object.assign(globalThis, { testProcess: { after: (work: () => Promise<void>) => void endings.unshift(work) } })
  after(async () => {
    for (const end of endings) await end()
  })
  let ended = 0
  for (const file of files) {
    test(fileTestName(file, engine), { timeout: fileMs }, async (t) => {
      t.after(() => void ended++)
      await import(pathToFileURL(resolve(file)).href)
    })
  }
  // a file that ends the process also ends the files after it, which must not count as success
  process.on('exit', () => {
    if (ended < files.length) process.exitCode = 1
  })
}
