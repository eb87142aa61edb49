import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createAccount, exportAuditEntries, installSoftwarePackage, queryHost, queryUser } from '@wharf/contract'
import { HookPage } from '../data/testing/render-hook.ts'

const { useCaller, useHostRefusal, useIsOthersJob, useRefusal } = await import('./permission.ts')

type Role = 'reader' | 'operator' | 'admin'

function pageOf(t: TestContext, role: Role | undefined): HookPage {
  const page = new HookPage(t)
  page.server.answer(queryUser, () => ({ inventories: role ? [{ uuid: 'user-1', role }] : [] }))
  return page
}

test('the caller is the user of the session', async (t) => {
  const page = pageOf(t, 'operator')
  const hook = await page.render(useCaller)
  assert.deepEqual(page.server.inputsOf(queryUser), [{ q: ['uuid=user-1'] }])
  assert.equal(hook.current?.role, 'operator')
})

/** Who may read, operate, administer, and operate on the server's own machine. */
const roles: readonly (readonly [Role | undefined, boolean, boolean, boolean, boolean])[] = [
  ['reader', true, false, false, false],
  ['operator', true, true, false, false],
  ['admin', true, true, true, true],
  // nothing is disabled before the role is known: buttons would flicker
  [undefined, true, true, true, true],
]

for (const [role, reads, operates, administers, usesMachine] of roles)
  test(`what a user with the role ${role} may call`, async (t) => {
    const page = pageOf(t, role)
    const hook = await page.render(() => ({ refused: useRefusal(), hostRefused: useHostRefusal() }))
    const { refused, hostRefused } = hook.current
    assert.equal(refused(queryHost) === undefined, reads)
    assert.equal(refused(installSoftwarePackage) === undefined, operates)
    assert.equal(refused(createAccount) === undefined, administers)
    assert.equal(hostRefused({ driver: 'local' }) === undefined, usesMachine)
    assert.equal(hostRefused({ driver: 'ssh' }), undefined)
    assert.equal(hostRefused(undefined), undefined)
  })

test('a refusal names the role, and whether an administrator is needed', async (t) => {
  const hook = await pageOf(t, 'reader').render(useRefusal)
  const [operate, administer] = [hook.current(installSoftwarePackage), hook.current(createAccount)]
  assert.ok(operate?.disabled && administer?.disabled)
  assert.match(operate.disabledReason, /reader/)
  assert.notEqual(operate.disabledReason, administer.disabledReason)
})

test('an operation on all hosts is refused to a user with a scope, with the scope', async (t) => {
  const page = new HookPage(t)
  const scope = ['labels.team=web']
  page.server.answer(queryUser, () => ({ inventories: [{ uuid: 'user-1', role: 'admin', scope }] }))
  const hook = await page.render(useRefusal)
  assert.match(hook.current(exportAuditEntries)?.disabledReason ?? '', /labels\.team=web/)
  assert.equal(hook.current(createAccount), undefined)
  const unlimited = await pageOf(t, 'admin').render(useRefusal)
  assert.equal(unlimited.current(exportAuditEntries), undefined)
})

const jobs: readonly (readonly [Role | undefined, string | undefined, boolean])[] = [
  ['operator', 'user-1', false],
  ['operator', 'user-2', true],
  ['admin', 'user-2', false],
  [undefined, 'user-2', false],
  ['operator', undefined, false],
]

for (const [role, userUuid, isOthers] of jobs)
  test(`to ${role}, a job of ${userUuid} ${isOthers ? 'is' : 'is not'} the job of somebody else`, async (t) => {
    const hook = await pageOf(t, role).render(useIsOthersJob)
    assert.equal(hook.current(userUuid === undefined ? {} : { userUuid }), isOthers)
  })
