import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { BackupRefused } from '@wharf/database/backup-format.ts'
import { openDatabase } from '@wharf/database/open.ts'
import { quoteName } from '@wharf/database/query-fields.ts'
import { readSettings } from '@wharf/server/composition/settings.ts'
import { restoreCommand } from '@wharf/server/program/commands.ts'
import { runServerProgram } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'

const refusal = /is not a whole Wharf backup: it is damaged, cut short or something else/
/** By the real program; the others by what that program calls, which takes a hundredth of the time. */
const byProgram = 1

/** Flips a byte, or cuts the file short, at many places: each is refused, and the target stays empty. */
export async function refuseDamaged(
  file: string,
  target: Record<string, string>,
  { places, random }: { places: number; random: SeededRandom },
): Promise<void> {
  const damaged = `${file}.damaged`
  const whole = readFileSync(file)
  const before = await contentOf(target)
  const some = [0, whole.length - 1, ...Array.from({ length: places - 2 }, () => random.between(0, whole.length - 1))]
  for (const [n, at] of some.entries()) {
    const flipped = Buffer.from(whole)
    flipped[at] = (flipped[at] ?? 0) ^ random.between(1, 255)
    writeFileSync(damaged, flipped)
    await mustRefuse(damaged, target, n < byProgram, `a flipped byte at ${at} of ${whole.length}`)
    copyFileSync(file, damaged)
    truncateSync(damaged, at)
    await mustRefuse(damaged, target, n < byProgram, `only ${at} of ${whole.length} bytes`)
  }
  assert.deepEqual(await contentOf(target), before, 'a refusal changes nothing')
}

async function mustRefuse(
  file: string,
  target: Record<string, string>,
  isByProgram: boolean,
  what: string,
): Promise<void> {
  if (isByProgram) {
    const { code, stdout, stderr } = await runServerProgram(target, ['restore', file])
    assert.deepEqual([code, stdout], [1, ''], what)
    assert.match(stderr, refusal, what)
    assert.equal(stderr.split('\n').length, 2, 'one line')
  } else {
    const settings = readSettings(target, { root: tmpdir() })
    const isRight = (error: unknown): boolean => error instanceof BackupRefused && refusal.test(error.message)
    await assert.rejects(restoreCommand(settings, file), isRight, what)
  }
}

const tablesSql =
  'select table_name as "name" from information_schema.tables where table_schema = current_schema() order by table_name'

/** Files of the folder, and on PostgreSQL the tables of the database with the number of their rows. */
async function contentOf(target: Record<string, string>): Promise<string[]> {
  const folder = target.WHARF_DATA ?? ''
  const files = existsSync(folder) ? readdirSync(folder) : []
  if (target.WHARF_DATABASE_URL === undefined) return files
  const database = await openDatabase(readSettings(target, { root: tmpdir() }))
  try {
    const tables = await database.rows(tablesSql, [])
    for (const [name] of tables.lists) {
      const counted = await database.rows(`select count(*) from ${quoteName(String(name))}`, [])
      files.push(`${name} ${counted.lists[0]?.[0]}`)
    }
    return files
  } finally {
    await database.close()
  }
}
