import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostsNeedRoot, testEngine } from '@wharf/testkit'
import { withChance } from '../chance.ts'
import { faultNames } from './faults.ts'
import { twoNodes } from './scenario.ts'
import { inWords } from './words.ts'

const maxTakeOverMs = 15_000
/** Less is begun where the machine cannot keep up; then the figures say nothing about a load. */
const minCallsPerSecond = 80

if (testEngine === 'postgres')
  test(
    'two nodes at 100 calls/s, 100 faults at random: nothing lost, nothing twice, taken over within 15 s',
    {
      skip: hostsNeedRoot,
    },
    (t) =>
      withChance(async (chance) => {
        const rounds = Array.from({ length: 100 }, () => chance.pick(faultNames))
        const tell = (line: string): void => t.diagnostic(line)
        const figures = await twoNodes(t, chance, { rounds, callsPerSecond: 100, packages: 16, tell })
        t.diagnostic(inWords(figures))
        assert.deepEqual(figures.faults, [])
        assert.ok(Math.max(...figures.takeOverMs) <= maxTakeOverMs, `taken over after ${figures.takeOverMs} ms`)
        assert.ok(figures.callsPerSecond >= minCallsPerSecond, `${figures.callsPerSecond} calls/s`)
      }),
  )
