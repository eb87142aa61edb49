import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { queryApiJob, queryDelivery, querySoftwarePackage, queryThirdpartyAlert } from '@wharf/contract'
import { isSortable } from './sortable-fields.ts'

const migrations = new URL('../../../database/src/migrations/', import.meta.url)
const sql = globSync('*.ts', { cwd: migrations })
  .map((name) => readFileSync(new URL(name, migrations), 'utf8'))
  .join('\n')

const lists = [
  [querySoftwarePackage, 'softwarePackages'],
  [queryApiJob, 'jobs'],
  [queryThirdpartyAlert, 'thirdPartyAlerts'],
  [queryDelivery, 'deliveries'],
] as const

test('a list that grows without bound can be ordered by the fields that have an index, and by no other', () => {
  for (const [operation, table] of lists) {
    const indexed = [...sql.matchAll(new RegExp(`on "${table}" \\("(\\w+)", "uuid"\\);`, 'g'))].map(
      ([, field]) => field,
    )
    const fields = [...sql.matchAll(/"(\w+)"/g)].map(([, field = '']) => field)
    assert.deepEqual(
      [...new Set(fields)].filter((field) => isSortable(operation, field)).sort(),
      indexed.sort(),
      operation.name,
    )
  }
})
