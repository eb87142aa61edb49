import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breadcrumbLevels } from './breadcrumb-levels.ts'

const cases: [path: string, levels: string[]][] = [
  ['hosts', []],
  ['hosts/h1', ['page hosts']],
  ['alerts/platforms', ['page alerts']],
  ['alerts/platforms/p1', ['page alerts', 'subpage alerts/platforms']],
  ['chat/deliveries/d1', ['page chat', 'subpage chat/deliveries']],
  ['clusters/c1/configure', ['page clusters', 'record clusters/c1']],
  ['chat/e1/edit', ['page chat', 'record chat/e1']],
]
for (const [path, levels] of cases)
  test(`above ${path}: ${levels.join(', ') || 'nothing'}`, () =>
    assert.deepEqual(
      breadcrumbLevels(path.split('/')).map((level) => `${level.kind} ${level.path.join('/')}`),
      levels,
    ))
