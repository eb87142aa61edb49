import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

// Node's test runner finds the test that a call belongs to with async hooks, which follow every promise of the process: a
// tenth of its CPU time. Here an AsyncLocalStorage follows the tests. Loaded before `node:test`.

interface Callbacks {
  init(asyncId: number, type: string, triggerAsyncId: number, resource: object): void
}

const asyncHooks = process.getBuiltinModule('node:async_hooks')
const { createHook, executionAsyncId } = asyncHooks
const { runInAsyncScope } = AsyncResource.prototype
const scope = new AsyncLocalStorage<number>()
let runner: Callbacks | undefined

/** The runner's classes are internal. */
function isTest(resource: object): boolean {
  for (let type = Object.getPrototypeOf(resource); type !== null; type = Object.getPrototypeOf(type))
    if (type.constructor.name === 'Test') return true
  return false
}

Object.assign(asyncHooks, {
  executionAsyncId: () => scope.getStore() ?? executionAsyncId(),
  createHook: (callbacks: Callbacks) => {
    runner = callbacks
    asyncHooks.createHook = createHook
    return { enable: () => {}, disable: () => {} }
  },
})

Object.assign(AsyncResource.prototype, {
  runInAsyncScope(this: AsyncResource, work: (...args: unknown[]) => unknown, self: unknown, ...given: unknown[]) {
    if (runner === undefined || !isTest(this)) return runInAsyncScope.call(this, work, self, ...given)
    const asyncId = this.asyncId()
    runner.init(asyncId, 'Test', 0, this)
    // inside, because the original restores the scope in which the test was created
    const inScope = (...args: unknown[]) => scope.run(asyncId, () => work.apply(self, args))
    return runInAsyncScope.call(this, inScope, self, ...given)
  },
})
