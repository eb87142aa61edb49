import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { fileTestName } from './count-reporter.ts'
import { recordCost } from './file-costs.ts'
import type { TestProcess } from './test-plan.ts'

/** Starting a program copies the page tables of its parent, which takes longer than loading the server again. */
const maxProcessBytes = 600 * 2 ** 20

/**
 * Runs test files in this process, one after the other, each with its own hooks: of the files of its group those that no other
 * process has taken. A file is a test that contains the tests of the file; count-reporter.ts leaves it out. The first test of
 * a file starts while the file is still being read, so what tests use is declared above them.
 */
export async function runTogether(
  { engine, files, leavesFiles }: TestProcess,
  taken: string,
  fileMs: number,
): Promise<void> {
  // what all files of the process share, such as a browser, ends after the last of them
  const endings: (() => Promise<void>)[] = []
  Object.assign(globalThis, { testProcess: { after: (work: () => Promise<void>) => void endings.unshift(work) } })
  // a test that waits for nothing that keeps a process running would otherwise end the runner, and every test after it
  const running = setInterval(() => {}, 60_000)
  let isRunning = false
  // a file that ends the process must not count as success
  process.on('exit', () => {
    if (isRunning) process.exitCode = 1
  })
  for (const file of files) {
    if (leavesFiles && process.memoryUsage.rss() > maxProcessBytes) break
    if (!take(join(taken, `${engine} ${file.replaceAll('/', ' ')}`))) continue
    isRunning = true
    const name = fileTestName(file, engine)
    await recordCost(name, () =>
      test(name, { timeout: fileMs }, async () => {
        await import(pathToFileURL(resolve(file)).href)
      }),
    )
    isRunning = false
  }
  // not a hook of the runner, which would run it after the first file
  for (const end of endings) await end()
  clearInterval(running)
}

/** A folder is created by one process only. */
function take(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}
