import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionStatuses, packageStatuses } from '@wharf/contract'
import { hostConditions, packageConditions, packageGroups } from './groups.ts'

test('every status of a package is in exactly one group', () => {
  const grouped = Object.values(packageGroups).flat()
  assert.deepEqual(grouped.toSorted(), [...packageStatuses].sort())
})

test('every status of a host is in exactly one group', () => {
  const grouped = Object.values(hostConditions).map((condition) => condition.replace('status=', ''))
  assert.deepEqual(grouped.toSorted(), [...connectionStatuses].sort())
})

test('a group of one status is an equality, a larger one a list', () => {
  assert.equal(packageConditions.uploaded, 'status=Uploaded')
  assert.equal(packageConditions.installed, 'status?=Installed,Initialized')
  for (const [group, statuses] of Object.entries(packageGroups))
    for (const status of statuses)
      assert.ok(packageConditions[group as keyof typeof packageGroups].includes(status), status)
})
