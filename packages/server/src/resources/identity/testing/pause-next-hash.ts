import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'

/** The next hash waits for `resume`; `reached` resolves when it would start. */
export function pauseNextHash(t: TestContext): { reached: Promise<void>; resume: () => void } {
  const reached = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const { scrypt } = crypto
  let isFirst = true
  t.mock.method(crypto, 'scrypt', (...given: Parameters<typeof scrypt>) => {
    const wait = isFirst ? resumed.promise : Promise.resolve()
    isFirst = false
    reached.resolve()
    void wait.then(() => scrypt(...given))
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return { reached: reached.promise, resume: () => resumed.resolve() }
}
