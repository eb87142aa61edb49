import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { parseRoute } from '../browser/route.ts'
import { fakeWindow } from '../browser/testing/fake-browser.ts'
import { navigateToList, readListState } from './list-state.ts'

let window = fakeWindow()
beforeEach(() => {
  window = fakeWindow()
})

const read = (search: string) => readListState(new URLSearchParams(search), '-createDate')

test('an empty URL shows the first page in the default order', () => {
  assert.deepEqual(read(''), { conditions: [], sort: '-createDate', page: 1 })
})

test('reads conditions, order and page', () => {
  assert.deepEqual(read('q=name~=%25web%25&q=size>=1&sort=%2Bname&page=3'), {
    conditions: ['name~=%web%', 'size>=1'],
    sort: '+name',
    page: 3,
  })
})

for (const page of ['0', '-1', '1.5', 'two', '', 'NaN', '1e400', '9007199254740993'])
  test(`page "${page}" is the first page`, () => assert.equal(read(`page=${page}`).page, 1))

const state = { conditions: ['name=web', 'size>=1'], sort: '+name', page: 3 }

test('the URL of a list restores its state', () => {
  navigateToList(['hosts'], state, { replace: false })
  const { path, search } = parseRoute(window.location.hash)
  assert.deepEqual(path, ['hosts'])
  assert.deepEqual(readListState(search, '-createDate'), state)
})

test('the first page is not part of the URL', () => {
  navigateToList(['hosts'], { ...state, page: 1 }, { replace: false })
  assert.ok(!window.location.hash.includes('page='))
})

test('conditions with reserved characters survive the URL', () => {
  const conditions = ['name~=%50\\%\\_%', 'tag=a&b=c#d', 'name=ü 中']
  navigateToList(['packages'], { ...state, conditions }, { replace: false })
  assert.deepEqual(readListState(parseRoute(window.location.hash).search, '').conditions, conditions)
})

test('other parts of the URL stay', () => {
  window.location.hash = '#/jobs?view=mine&q=state=Failed&page=2'
  navigateToList(['jobs'], { conditions: [], sort: '-createDate', page: 1 }, { replace: false })
  const { search } = parseRoute(window.location.hash)
  assert.deepEqual([search.get('view'), search.getAll('q'), search.get('page')], ['mine', [], null])
})

test('only a navigation without replace adds a history entry', () => {
  navigateToList(['hosts'], state, { replace: true })
  assert.equal(window.history.length, 0)
  navigateToList(['hosts'], { ...state, page: 4 }, { replace: false })
  assert.equal(window.history.length, 1)
})
