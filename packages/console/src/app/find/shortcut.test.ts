import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortcutOf } from './shortcut.ts'

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const page = { isMac: false, isTyping: false, isInDialog: false }
const ctrl = { ...none, ctrlKey: true }
const meta = { ...none, metaKey: true }

test('Ctrl-K finds anything, also from a field; on a Mac it is Command-K', () => {
  assert.equal(shortcutOf({ ...ctrl, key: 'k' }, page), 'find')
  assert.equal(shortcutOf({ ...ctrl, key: 'K' }, { ...page, isTyping: true }), 'find')
  assert.equal(shortcutOf({ ...meta, key: 'k' }, { ...page, isMac: true }), 'find')
  assert.equal(shortcutOf({ ...ctrl, key: 'k' }, { ...page, isMac: true }), undefined)
  assert.equal(shortcutOf({ ...meta, key: 'k' }, page), undefined)
})

test('other combinations are left to the browser', () => {
  assert.equal(shortcutOf({ ...ctrl, shiftKey: true, key: 'K' }, page), undefined)
  assert.equal(shortcutOf({ ...none, altKey: true, key: '/' }, page), undefined)
  assert.equal(shortcutOf({ ...ctrl, key: '/' }, page), undefined)
  assert.equal(shortcutOf({ ...none, key: 'k' }, page), undefined)
})

test('single keys work on the page, never while typing', () => {
  assert.equal(shortcutOf({ ...none, key: '/' }, page), 'filter')
  assert.equal(shortcutOf({ ...none, shiftKey: true, key: '?' }, page), 'keys')
  for (const key of ['/', '?']) assert.equal(shortcutOf({ ...none, key }, { ...page, isTyping: true }), undefined)
})

test('no key works in a dialog', () => {
  for (const pressed of [
    { ...ctrl, key: 'k' },
    { ...none, key: '/' },
    { ...none, key: '?' },
  ])
    assert.equal(shortcutOf(pressed, { ...page, isInDialog: true }), undefined)
})
