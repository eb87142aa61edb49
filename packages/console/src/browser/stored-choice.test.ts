import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { storedChoice } from './stored-choice.ts'
import { defineGlobal, MemoryStorage } from './testing/fake-browser.ts'

let storage = new MemoryStorage()
beforeEach(() => {
  storage = new MemoryStorage()
  defineGlobal('localStorage', storage)
})

const appearance = (standard: 'light' | 'dark' = 'light') =>
  storedChoice('appearance', ['light', 'dark'] as const, () => standard)

test('returns the default until a choice is stored', () => {
  assert.equal(appearance('dark').read(), 'dark')
  assert.equal(storage.length, 0, 'reading stores nothing')
})

test('a stored choice is read by every later reader', () => {
  appearance().write('dark')
  assert.equal(appearance('light').read(), 'dark')
  appearance().write('light')
  assert.equal(appearance('dark').read(), 'light')
})

test('a stored value that is not allowed is ignored', () => {
  storage.setItem('wharf.appearance', 'purple')
  assert.equal(appearance('dark').read(), 'dark')
})

test('choices of different names are independent', () => {
  appearance().write('dark')
  const language = storedChoice('language', ['en', 'zh'] as const, () => 'en')
  assert.equal(language.read(), 'en')
  language.write('zh')
  assert.equal(appearance().read(), 'dark')
})

test('a listener is called after each write until it ends', () => {
  const choice = appearance()
  let calls = 0
  const end = choice.subscribe(() => calls++)
  choice.write('dark')
  end()
  choice.write('light')
  assert.equal(calls, 1)
})
