import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { resourceTypeOf, rolloutJobs } from '@wharf/contract'
import * as operations from './job-operations.ts'

test('the audit trail names the package that a job works on as a package', () => {
  const types = Object.values(operations).map((operation) => [operation.name, resourceTypeOf(operation)])
  assert.deepEqual(
    types.sort(),
    rolloutJobs.map((name) => [name, 'SoftwarePackage']),
  )
})
