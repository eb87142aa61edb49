import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainedShare, type Failure } from '@wharf/testkit'
import recorded from './fixtures/recorded-failures.json' with { type: 'json' }

// one failure of each kind that a run of the whole suite provoked; `npm test` checks those of its own run in the same way
test('the catalogue explains at least 95% of the failures that the suite provokes, by their text alone', (t) => {
  const { failures, byText, ofOwnCode, byTextOrCode, unexplained } = explainedShare(recorded as Failure[])
  const share = (count: number) => `${((100 * count) / failures).toFixed(1)}%`
  t.diagnostic(`${failures}: ${share(byText)} by text, ${share(byTextOrCode)} by text or code`)
  assert.ok(failures > 300)
  assert.ok(byText / failures >= 0.95, unexplained.join('\n'))
  assert.ok(ofOwnCode / failures >= 0.95, 'too many are explained by an entry of another code')
  assert.equal(byTextOrCode, failures)
})
