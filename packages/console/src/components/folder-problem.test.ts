import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folderProblem } from './folder-problem.ts'

const rows = [
  { folder: '/opt/packages', isHost: true, problem: undefined },
  { folder: '', isHost: false, problem: undefined },
  { folder: 'opt', isHost: false, problem: undefined },
  { folder: 'opt', isHost: true, problem: 'absolute' },
  { folder: '', isHost: true, problem: 'absolute' },
  { folder: '/opt/a b', isHost: true, problem: 'characters' },
  { folder: '/opt//a', isHost: true, problem: 'characters' },
  { folder: '../a', isHost: false, problem: 'dots' },
  { folder: '/a/./b', isHost: true, problem: 'dots' },
  { folder: '/a/..b', isHost: true, problem: undefined },
]

for (const { folder, isHost, problem } of rows)
  test(`folder "${folder}" on ${isHost ? 'a host' : 'a storage'}: ${problem ?? 'accepted'}`, () =>
    assert.equal(folderProblem(folder, isHost), problem))
