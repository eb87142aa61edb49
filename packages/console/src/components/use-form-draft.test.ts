import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cancelLeave, confirmLeave, hasUnsavedForms } from '../browser/leave-guard.ts'
import { HookPage } from '../data/testing/render-hook.ts'

const { useFormDraft } = await import('./use-form-draft.ts')

interface Form {
  readonly name: string
  readonly port: string
  readonly password: string
  readonly url?: string
}

const empty: Form = { name: '', port: '22', password: '' }
const key = 'wharf.draft.user-1.host'
const stored = (): unknown => JSON.parse(sessionStorage.getItem(key) ?? 'null')

interface Options {
  readonly draft?: object
  readonly secrets?: (form: Form) => readonly string[]
  readonly isStored?: boolean
}

async function setup(t: TestContext, { draft, ...options }: Options = {}) {
  const page = new HookPage(t)
  if (draft) sessionStorage.setItem(key, JSON.stringify(draft))
  return page.render((initial: Form) => useFormDraft('host', initial, options), empty)
}

test('changed fields are stored for a reload, secrets are not', async (t) => {
  const hook = await setup(t)
  assert.deepEqual([hook.current.isDirty, stored()], [false, null])
  await hook.act(() => hook.current.setForm({ ...empty, name: 'web-1', password: 'hunter2' }))
  assert.deepEqual(hook.current.form, { name: 'web-1', port: '22', password: 'hunter2' })
  assert.deepEqual(stored(), { name: 'web-1' })
  assert.equal(hook.current.isRestored, false, 'it was typed here')
})

test('a field that the form declares secret is not stored', async (t) => {
  const hook = await setup(t, { secrets: ({ url }) => (url?.includes('token') ? ['url'] : []) })
  await hook.act(() => hook.current.setForm({ ...empty, name: 'a', url: 'https://chat.example/?token=1' }))
  assert.deepEqual(stored(), { name: 'a' })
  await hook.act(() => hook.current.setForm({ ...empty, name: 'a', url: 'https://chat.example/' }))
  assert.deepEqual(stored(), { name: 'a', url: 'https://chat.example/' })
})

test('input that may contain secrets anywhere is guarded, but not stored', async (t) => {
  const hook = await setup(t, { isStored: false })
  await hook.act(() => hook.current.setForm({ ...empty, name: 'a' }))
  assert.deepEqual([hook.current.isDirty, hasUnsavedForms(), stored()], [true, true, null])
})

test('a draft is restored, and fields that were not changed follow the record', async (t) => {
  const hook = await setup(t, { draft: { name: 'web-1', unknown: 'field' } })
  assert.deepEqual(hook.current.form, { ...empty, name: 'web-1' })
  assert.deepEqual([hook.current.isDirty, hook.current.isRestored], [true, true])
  await hook.rerender({ ...empty, name: 'of the server', port: '2222' })
  assert.deepEqual(hook.current.form, { ...empty, name: 'web-1', port: '2222' })
})

test('a draft that equals the form is not an unsaved change', async (t) => {
  const hook = await setup(t, { draft: { port: '22' } })
  assert.deepEqual([hook.current.isDirty, hook.current.isRestored, stored()], [false, false, null])
})

test('a change that is taken back needs no confirmation', async (t) => {
  const hook = await setup(t)
  await hook.act(() => hook.current.setForm((before) => ({ ...before, name: 'a' })))
  assert.equal(hasUnsavedForms(), true)
  await hook.act(() => hook.current.setForm((before) => ({ ...before, name: '' })))
  assert.deepEqual([hook.current.isDirty, hasUnsavedForms(), stored()], [false, false, null])
})

test('two changes in one turn are both kept', async (t) => {
  const hook = await setup(t)
  await hook.act(() => {
    hook.current.setForm((before) => ({ ...before, name: 'a' }))
    hook.current.setForm((before) => ({ ...before, port: '23' }))
  })
  assert.deepEqual(hook.current.form, { ...empty, name: 'a', port: '23' })
})

test('leaving waits for a confirmation, which discards the input', async (t) => {
  const hook = await setup(t)
  await hook.act(() => hook.current.setForm({ ...empty, name: 'a' }))
  let left = 0
  const leave = (): Promise<void> => hook.act(() => hook.current.leave(() => left++))
  await leave()
  await hook.act(cancelLeave)
  assert.deepEqual([left, hook.current.form.name], [0, 'a'])
  await leave()
  await hook.act(confirmLeave)
  assert.deepEqual([left, hook.current.form.name, stored(), hasUnsavedForms()], [1, '', null, false])
})

test('a saved form is left at once', async (t) => {
  const hook = await setup(t)
  await hook.act(() => hook.current.setForm({ ...empty, name: 'a' }))
  let left = 0
  // in one turn: the page navigates right after it has saved
  await hook.act(() => {
    hook.current.discard()
    hook.current.leave(() => left++)
  })
  assert.deepEqual([left, stored()], [1, null])
})

test('a form that is removed no longer guards the page', async (t) => {
  const hook = await setup(t)
  await hook.act(() => hook.current.setForm({ ...empty, name: 'a' }))
  await hook.unmount()
  assert.equal(hasUnsavedForms(), false)
})
