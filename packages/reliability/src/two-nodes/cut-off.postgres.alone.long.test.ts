import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostsNeedRoot, testEngine } from '@wharf/testkit'
import { withChance } from '../chance.ts'
import { twoNodes } from './scenario.ts'
import { inWords } from './words.ts'

const maxTakeOverMs = 15_000

if (testEngine === 'postgres')
  test(
    'a node in the middle of its writes is cut off from PostgreSQL, again and again: taken over within 15 s',
    { skip: hostsNeedRoot },
    (t) =>
      withChance(async (chance) => {
        const rounds = ['database', 'link', 'database', 'database', 'link', 'database'] as const
        const tell = (line: string): void => t.diagnostic(line)
        const figures = await twoNodes(t, chance, { rounds, callsPerSecond: 50, packages: 8, tell })
        t.diagnostic(inWords(figures))
        assert.deepEqual(figures.faults, [])
        assert.ok(Math.max(...figures.takeOverMs) <= maxTakeOverMs, `taken over after ${figures.takeOverMs} ms`)
      }),
  )
