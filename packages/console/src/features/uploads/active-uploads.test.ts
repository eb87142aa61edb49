import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { defineGlobal, MemoryStorage } from '../../browser/testing/fake-browser.ts'
import { isActive, markActive, unmarkActive } from './active-uploads.ts'

let storage = new MemoryStorage()
beforeEach(() => {
  storage = new MemoryStorage()
  defineGlobal('localStorage', storage)
})

test('a package is active while its tab marks it', () => {
  assert.equal(isActive('p1', 0), false)
  markActive(['p1'], 0)
  assert.equal(isActive('p1', 9000), true)
  markActive(['p1'], 9000)
  assert.equal(isActive('p1', 18_000), true)
})

test('the mark of a killed tab expires', () => {
  markActive(['p1'], 0)
  assert.equal(isActive('p1', 9999), true)
  assert.equal(isActive('p1', 10_000), false)
})

test('tabs do not remove the marks of each other', () => {
  markActive(['p1'], 0)
  markActive(['p2'], 1000)
  assert.ok(isActive('p1', 2000) && isActive('p2', 2000))
  unmarkActive(['p1'], 2000)
  assert.equal(isActive('p1', 2000), false)
  assert.equal(isActive('p2', 2000), true)
})

test('expired marks are removed from the storage', () => {
  markActive(['old'], 0)
  markActive(['new'], 20_000)
  assert.deepEqual(Object.keys(JSON.parse(storage.getItem('wharf.sending') ?? '')), ['new'])
})

test('a tab without uploads marks nothing', () => {
  markActive([], 0)
  unmarkActive(['p1'], 0)
  assert.equal(isActive('p1', 0), false)
})

test('a damaged entry in the storage is ignored', () => {
  storage.setItem('wharf.sending', '{not json')
  assert.equal(isActive('p1', 0), false)
  markActive(['p1'], 0)
  assert.equal(isActive('p1', 0), true)
})

test('names of object properties are not packages', () => {
  assert.equal(isActive('constructor', 0), false)
  assert.equal(isActive('toString', 0), false)
})
