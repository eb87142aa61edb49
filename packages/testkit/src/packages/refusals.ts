import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../calls/client.ts'
import { assertFailure } from '../calls/failure.ts'
import { leftovers } from './leftovers.ts'
import type { PackageFixture } from './package-fixture.ts'

export interface Refusal {
  readonly name: string
  readonly send: () => Promise<Answer>
  readonly status: number
  readonly code: string
  readonly details?: string
}

/** A test per row: refused at once, without any change: no record, no job, no tag, no file. */
export function testRefusals(fixture: PackageFixture, rows: readonly Refusal[]): void {
  for (const { name, send, ...expected } of rows)
    test(`refuses ${name}`, () => assertUnchanged(fixture, async () => assertFailure(await send(), expected)))
}

/** Asserts that the work changes neither records nor files. */
export async function assertUnchanged(fixture: PackageFixture, work: () => Promise<void>): Promise<void> {
  const before = await leftovers(fixture)
  await work()
  assert.deepEqual(await leftovers(fixture), before)
}
