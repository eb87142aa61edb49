import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '@wharf/database/database.ts'
import { userLimits } from '@wharf/platform/user-limits.ts'
import { ActiveJobLimit } from './active-job-limit.ts'

const tx = {} as Tx

/** A limit over a store whose counts are as given, and the users that were counted. */
function counted(active: () => number = () => 0) {
  const users: string[] = []
  const countActiveOf = async (_tx: Tx, userUuid: string) => {
    users.push(userUuid)
    return active()
  }
  return { limit: new ActiveJobLimit({ countActiveOf }), users }
}

test('the jobs of a user are counted once for fifty of them', async () => {
  const { limit, users } = counted()
  for (let job = 0; job < 101; job++) await limit.refuseTooMany(tx, 'a')
  assert.deepEqual(users, ['a', 'a', 'a'])
})

test('a user at the limit is refused until a count is lower', async () => {
  let active = userLimits.activeJobs
  const { limit } = counted(() => active)
  for (let attempt = 0; attempt < 2; attempt++) await assert.rejects(limit.refuseTooMany(tx, 'a'), /unfinished jobs/)
  active--
  await limit.refuseTooMany(tx, 'a')
})

test('users do not accumulate: one is forgotten after a thousand others', async () => {
  const { limit, users } = counted()
  await limit.refuseTooMany(tx, 'a')
  for (let other = 0; other < 1000; other++) await limit.refuseTooMany(tx, `user ${other}`)
  await limit.refuseTooMany(tx, 'a')
  assert.equal(users.filter((user) => user === 'a').length, 2)
})
