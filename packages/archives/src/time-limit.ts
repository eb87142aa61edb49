import { Script } from 'node:vm'

const call = new Script('work()')

/**
 * Runs something that untrusted input could block indefinitely, such as a pattern that backtracks, and stops it.
 * The context is only used for its timer: no untrusted code runs, in it or elsewhere.
 */
export function withinTime<T>(limitMs: number, work: () => T): T {
  try {
    return call.runInNewContext({ work }, { timeout: limitMs, contextCodeGeneration: { strings: false, wasm: false } })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TookTooLong(limitMs)
    throw error
  }
}

export class TookTooLong extends Error {
  constructor(limitMs: number) {
    super(`it took longer than ${limitMs} ms`)
  }
}
