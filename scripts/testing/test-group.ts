import { resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/**
 * Several test files in this process, one after the other, each with its hooks to itself. A file counts as a test that
 * holds the others; count-reporter.ts leaves it out. The first test of a file begins while the file is still being
 * read, so what tests use stands above them.
 */
export function runTogether(files: readonly string[], fileMs: number): void {
  let ended = 0
  for (const file of files) {
    test(file, { timeout: fileMs }, async (t) => {
      t.after(() => void ended++)
      await import(pathToFileURL(resolve(file)).href)
    })
  }
  // a file that ends the process takes the files after it along: that must not look like success
  process.on('exit', () => {
    if (ended < files.length) process.exitCode = 1
  })
}
