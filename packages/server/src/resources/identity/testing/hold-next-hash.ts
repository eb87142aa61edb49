import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'

/** The next hash is not worked out before `letGo`; `asked` ends when it is its turn. */
export function holdNextHash(t: TestContext): { asked: Promise<void>; letGo: () => void } {
  const asked = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  const { scrypt } = crypto
  let isFirst = true
  t.mock.method(crypto, 'scrypt', (...given: Parameters<typeof scrypt>) => {
    const wait = isFirst ? going.promise : Promise.resolve()
    isFirst = false
    asked.resolve()
    void wait.then(() => scrypt(...given))
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return { asked: asked.promise, letGo: () => going.resolve() }
}
