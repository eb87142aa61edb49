import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputOf, newHostForm, problemsOf } from './host-form.ts'

const form = { ...newHostForm(new URLSearchParams()), name: 'web-1', address: '10.0.0.7' }

test('a packages folder is sent when there is one, for either driver', () => {
  for (const driver of ['ssh', 'local'] as const) {
    const given = { ...form, driver, packagesPath: ' /srv/packages ' }
    assert.deepEqual(problemsOf(given), {})
    assert.equal(inputOf(given, undefined).packagesPath, '/srv/packages')
    assert.ok(!('packagesPath' in inputOf({ ...form, driver }, undefined)))
    assert.deepEqual(problemsOf({ ...given, packagesPath: 'srv/packages' }), { packagesPath: 'badFolder' })
  }
})
