import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { confirmLeave, guardForm } from './leave-guard.ts'
import { linkTo, navigate, parseRoute, routeStore } from './route.ts'
import { fakeWindow } from './testing/fake-browser.ts'

let window = fakeWindow()
beforeEach(() => {
  window = fakeWindow()
})

const rows = [
  { hash: '', path: [], search: {} },
  { hash: '#', path: [], search: {} },
  { hash: '#/', path: [], search: {} },
  { hash: '#/packages', path: ['packages'], search: {} },
  { hash: '#packages', path: ['packages'], search: {} },
  { hash: '#/packages/abc?tab=log', path: ['packages', 'abc'], search: { tab: 'log' } },
  { hash: '#/packages//abc/', path: ['packages', 'abc'], search: {} },
  { hash: '#/hosts/a%2Fb', path: ['hosts', 'a/b'], search: {} },
  { hash: '#/hosts/%E4%B8%AD', path: ['hosts', '中'], search: {} },
  { hash: '#/hosts/100%', path: ['hosts', '100%'], search: {} },
  { hash: '#?text=a', path: [], search: { text: 'a' } },
]
for (const { hash, path, search } of rows)
  test(`parses "${hash}"`, () => {
    const route = parseRoute(hash)
    assert.deepEqual(route.path, path)
    assert.deepEqual(Object.fromEntries(route.search), search)
  })

test('keeps repeated parameters', () => {
  assert.deepEqual(parseRoute('#/hosts?q=a&q=b').search.getAll('q'), ['a', 'b'])
})

test('a link contains only the given parameters', () => {
  assert.equal(linkTo([]), '#/')
  assert.equal(linkTo(['hosts']), '#/hosts')
  assert.equal(linkTo(['hosts', 'a b']), '#/hosts/a%20b')
  assert.equal(linkTo(['hosts'], { folder: '/opt', job: undefined, empty: '' }), '#/hosts?folder=%2Fopt')
})

test('parsing a link returns its path and parameters', () => {
  const parts = fc.array(fc.string({ minLength: 1 }))
  const search = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }))
  fc.assert(
    fc.property(parts, search, (path, parameters) => {
      const route = parseRoute(linkTo(path, parameters))
      assert.deepEqual(route.path, path)
      assert.deepEqual(Object.fromEntries(route.search), { ...parameters })
    }),
  )
})

test('navigating adds a history entry and notifies listeners', () => {
  let changes = 0
  window.events.addEventListener('hashchange', () => changes++)
  navigate('#/hosts')
  assert.equal(window.location.hash, '#/hosts')
  assert.deepEqual(window.history, ['#/hosts'])
  assert.equal(changes, 1)
})

test('replacing changes the URL without a history entry, and notifies listeners too', () => {
  let changes = 0
  window.events.addEventListener('hashchange', () => changes++)
  navigate('#/hosts?page=2', { replace: true })
  assert.equal(window.location.hash, '#/hosts?page=2')
  assert.deepEqual(window.history, [])
  assert.equal(changes, 1)
})

test('navigating to the current URL does nothing', () => {
  navigate('#/hosts')
  navigate('#/hosts')
  navigate('#/hosts', { replace: true })
  assert.deepEqual(window.history, ['#/hosts'])
})

/** A page that renders the route. */
function showRoute() {
  const shown: string[] = []
  const stop = routeStore.subscribe(() => shown.push(routeStore.read()))
  return { shown, stop }
}

function typeInput(): () => void {
  const release: () => void = guardForm({ discard: () => release() })
  return release
}

test('unsaved input keeps its page until leaving is confirmed: by a link', () => {
  const { shown, stop } = showRoute()
  window.location.hash = '#/hosts/add'
  const release = typeInput()
  window.location.hash = '#/jobs'
  assert.deepEqual([window.location.hash, shown], ['#/hosts/add', ['#/hosts/add']])
  confirmLeave()
  assert.deepEqual([window.location.hash, shown], ['#/jobs', ['#/hosts/add', '#/jobs']])
  release()
  stop()
})

test('unsaved input keeps its page until leaving is confirmed: by the history', () => {
  const { shown, stop } = showRoute()
  window.location.hash = '#/hosts'
  window.location.hash = '#/hosts/add'
  const release = typeInput()
  history.go(-1)
  assert.deepEqual([window.location.hash, shown.at(-1)], ['#/hosts/add', '#/hosts/add'])
  confirmLeave()
  assert.deepEqual([window.location.hash, shown.at(-1)], ['#/hosts', '#/hosts'])
  history.go(1)
  assert.equal(window.location.hash, '#/hosts/add', 'the history is as before')
  release()
  stop()
})

test('unsaved input keeps its page until leaving is confirmed: by the program', () => {
  const { stop } = showRoute()
  navigate('#/hosts/add')
  const release = typeInput()
  navigate('#/hosts', { replace: true })
  navigate('#/jobs')
  assert.equal(window.location.hash, '#/hosts/add')
  confirmLeave()
  assert.equal(window.location.hash, '#/jobs')
  release()
  stop()
})

test('a change of the filter of the same page loses no input', () => {
  const { shown, stop } = showRoute()
  navigate('#/packages')
  const release = typeInput()
  navigate('#/packages?page=2')
  assert.equal(shown.at(-1), '#/packages?page=2')
  release()
  stop()
})
