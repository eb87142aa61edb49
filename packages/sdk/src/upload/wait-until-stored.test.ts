import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UploadClient } from './upload-client.ts'
import { waitUntilStored } from './wait-until-stored.ts'

/** The package has failed, and its job is listed from this query on. */
function clientListingJob(fromQuery: number): UploadClient {
  let queries = 0
  return {
    jobs: { query: async () => ({ inventories: ++queries >= fromQuery ? [{ uuid: 'j' }] : [] }) },
    softwarePackages: { one: async () => ({ uuid: 'p', name: 'demo', status: 'UploadFailed' }) },
    job: () => ({ wait: () => Promise.reject(new Error('the archive is damaged')) }),
  } as unknown as UploadClient
}

test('an upload whose job starts and fails between two reads fails with the error of the job', async () => {
  await assert.rejects(waitUntilStored(clientListingJob(2), 'p', {}), /the archive is damaged/)
})

test('an upload that ended without a job has ended before all of it was stored', async () => {
  await assert.rejects(waitUntilStored(clientListingJob(Number.POSITIVE_INFINITY), 'p', {}), {
    code: 'SoftwarePackage.1133',
    status: 410,
  })
})
