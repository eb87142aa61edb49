import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { cancelLeave, confirmLeave, guardForm, hasUnsavedForms, requestLeave } from './leave-guard.ts'
import { fakeWindow } from './testing/fake-browser.ts'

let window = fakeWindow()
beforeEach(() => {
  window = fakeWindow()
})

function setup() {
  const done: string[] = []
  const form = (name: string) => {
    const release = guardForm({
      discard: () => {
        done.push(`discard ${name}`)
        release()
      },
    })
    return release
  }
  return { done, form, leave: (): void => requestLeave(() => done.push('left')) }
}

test('without unsaved input leaving needs no confirmation', () => {
  const { done, leave } = setup()
  leave()
  assert.deepEqual(done, ['left'])
})

test('unsaved input is discarded only after a confirmation', () => {
  const { done, form, leave } = setup()
  form('a')
  leave()
  assert.deepEqual(done, [])
  cancelLeave()
  confirmLeave()
  assert.deepEqual(done, [], 'a cancelled request cannot be confirmed')
  leave()
  confirmLeave()
  assert.deepEqual([done, hasUnsavedForms()], [['discard a', 'left'], false])
})

test('a saved form needs no confirmation', () => {
  const { done, form, leave } = setup()
  form('a')()
  leave()
  assert.deepEqual(done, ['left'])
})

test('closing a form concerns only its own input', () => {
  const done: string[] = []
  const [page, modal] = ['page', 'modal'].map((name) => ({ discard: () => done.push(`discard ${name}`) }))
  assert.ok(page && modal)
  const releases = [page, modal].map(guardForm)
  requestLeave(() => done.push('closed'), modal)
  confirmLeave()
  assert.deepEqual(done, ['discard modal', 'closed'])
  for (const release of releases) release()
})

test('the tab is not closed without a confirmation, only while there is unsaved input', () => {
  const isPrevented = (): boolean => {
    const event = new Event('beforeunload', { cancelable: true })
    window.events.dispatchEvent(event)
    return event.defaultPrevented
  }
  const { form } = setup()
  assert.equal(isPrevented(), false)
  const release = form('a')
  assert.equal(isPrevented(), true)
  release()
  assert.equal(isPrevented(), false)
})
