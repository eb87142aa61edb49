import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertName, severityLabel, severityOf, titleOf } from './alert-labels.ts'
import { durationOf } from './template-scope.ts'

const rows: { status?: 'firing' | 'resolved'; alertname?: string; severity?: string; title: string; as: string }[] = [
  { alertname: 'Down', severity: 'critical', title: 'Down', as: 'critical' },
  { alertname: 'Down', severity: 'CRITICAL', title: 'Down', as: 'critical' },
  { alertname: 'Down', severity: 'page', title: 'Down (page)', as: 'critical' },
  { alertname: 'Down', severity: 'warning', title: 'Down', as: 'warning' },
  { alertname: 'Down', severity: 'info', title: 'Down', as: 'info' },
  { alertname: 'Down', severity: 'constructor', title: 'Down (constructor)', as: 'warning' },
  { alertname: 'Down', title: 'Down', as: 'warning' },
  { status: 'resolved', alertname: 'Down', severity: 'critical', title: 'Down (critical)', as: 'resolved' },
  { alertname: '节点宕机', severity: '严重', title: '节点宕机 (严重)', as: 'warning' },
  { alertname: ' a\n\0b ', title: 'a b', as: 'warning' },
  { title: 'unnamed alert', as: 'warning' },
]
for (const { status = 'firing', alertname, severity, title, as } of rows) {
  test(`${status} ${JSON.stringify(alertname)} of severity ${severity} is ${as}: ${title}`, () => {
    const labels = { ...(alertname && { alertname }), ...(severity && { severity }) }
    assert.equal(titleOf({ status, labels }), title)
    assert.equal(severityOf({ status, labels }), as)
  })
}

test('names are cut to the length of their column', () => {
  const labels = { alertname: '😀'.repeat(500), severity: 'x'.repeat(1000) }
  for (const text of [alertName({ labels }), severityLabel({ labels }) ?? '', titleOf({ status: 'firing', labels })]) {
    assert.equal(text.length, 255)
    assert.ok(text.isWellFormed() && text.endsWith('…'))
  }
})

const durations: Record<number, string> = {
  0: '0 s',
  [-5000]: '0 s',
  59400: '59 s',
  60000: '1 min',
  3725000: '1 h 2 min',
  3605000: '1 h',
  90061000: '1 d 1 h',
}
for (const [ms, written] of Object.entries(durations)) {
  test(`${ms} ms are ${written}`, () => assert.equal(durationOf(Number(ms)), written))
}
