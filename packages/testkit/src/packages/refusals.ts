import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../calls/client.ts'
import { assertFailure } from '../calls/failure.ts'
import type { PackageWorld } from './package-world.ts'
import { traces } from './traces.ts'

export interface Refusal {
  readonly name: string
  readonly send: () => Promise<Answer>
  readonly status: number
  readonly code: string
  readonly details?: string
}

/** A test per row: refused at once, and nothing has happened. No record, no job, no tag, no file. */
export function refusing(world: PackageWorld, rows: readonly Refusal[]): void {
  for (const { name, send, ...expected } of rows)
    test(`refuses ${name}`, () => untouched(world, async () => assertFailure(await send(), expected)))
}

/** Whatever the work does, it leaves nothing behind. */
export async function untouched(world: PackageWorld, work: () => Promise<void>): Promise<void> {
  const before = await traces(world)
  await work()
  assert.deepEqual(await traces(world), before)
}
