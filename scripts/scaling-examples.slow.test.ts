import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TestServer } from '@wharf/testkit'

const folder = fileURLToPath(new URL('../examples/scaling/', import.meta.url))
const promtool = (...args: string[]) => promisify(execFile)('promtool', args, { cwd: folder })

test('Prometheus accepts the rules, and they fire when they should', async () => {
  await promtool('check', 'rules', 'prometheus-rules.yml')
  await promtool('test', 'rules', 'prometheus-rules.test.yml')
})

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string }[]
}

const dashboard = JSON.parse(readFileSync(`${folder}grafana-dashboard.json`, 'utf8')) as {
  panels: Panel[]
  templating: { list: { query: string | { query: string } }[] }
}
const rules = readFileSync(`${folder}prometheus-rules.yml`, 'utf8')

/** The metrics in a PromQL expression: words that are not functions, keywords, labels or strings. */
function metricsOf(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '')
    .replaceAll(/\boffset\s+\w+/g, '')
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g)].map(([name]) => name)
}

test('every panel of the dashboard has a query and overlaps no other panel', () => {
  const ids = new Set(dashboard.panels.map(({ id }) => id))
  assert.equal(ids.size, dashboard.panels.length)
  for (const one of dashboard.panels) {
    if (one.type !== 'row') assert.ok(one.targets?.length, one.title)
    const { x, y, w, h } = one.gridPos
    assert.ok(x >= 0 && x + w <= 24, one.title)
    const over = dashboard.panels.filter(({ id, gridPos: at }) => {
      return id !== one.id && at.x < x + w && x < at.x + at.w && at.y < y + h && y < at.y + at.h
    })
    assert.deepEqual(over, [], `${one.title} overlaps another panel`)
  }
})

test('rules and dashboard use only metrics of the server, and the dashboard shows every metric of Wharf', async (t) => {
  const server = await TestServer.start(t)
  await server.admin.get('/v1/hosts')
  const { text } = await server.anonymous.get('/metrics')
  const exposed = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) => series(name, type)),
  )
  // added by Prometheus
  exposed.add('up')

  const inPanels = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const inRules = [...rules.matchAll(/expr: (?:\|\n((?: {10}.*\n)+)|(.*))/g)].map(
    ([, block, line]) => block ?? line ?? '',
  )
  assert.equal(inRules.length, rules.match(/- alert:/g)?.length)
  const used = [...inPanels, ...inRules].flatMap(metricsOf)
  assert.ok(used.length > 30)
  assert.deepEqual([...new Set(used.filter((name) => !exposed.has(name)))], [])

  const own = [...text.matchAll(/^# TYPE (wharf_\S+)/gm)].map(([, name = '']) => name)
  const shown = inPanels.flatMap(metricsOf)
  const unseen = own.filter((name) => !shown.some((one) => one.startsWith(name)))
  assert.deepEqual(unseen, [], 'metrics without a panel')
})

const series = (name: string, type: string | undefined): string[] =>
  type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name]
