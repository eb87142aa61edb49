import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { defaultTemplate } from './default-template.ts'
import { exampleAlert } from './example-alert.ts'
import { TemplateError, TemplateRenderer } from './template-renderer.ts'
import { templateScope } from './template-scope.ts'
import { readAlert } from './webhook.ts'

const templates = new TemplateRenderer()
after(() => templates.close())

const time = (ms: number): string => new Date(ms).toISOString()
const scopeOf = (alert: object) => templateScope(readAlert({ ...exampleAlert, ...alert }, 'alert'), platform, time)
const platform = { uuid: 'a'.repeat(32), name: 'etcd alerts' }
const render = (template: string, alert = {}): Promise<string> => templates.render(template, scopeOf(alert))

test('the default template contains summary, labels and times', async () => {
  assert.equal(
    await render(defaultTemplate),
    [
      'A member of the cluster is down',
      'etcd on 10.0.0.2 has not answered for a minute.',
      '- **Status:** resolved',
      '- **Alert:** EtcdMemberDown',
      '- **Severity:** critical',
      '- **Instance:** 10.0.0.2:2379',
      '- **Since:** 2026-11-05T01:02:03.000Z',
      '- **Resolved:** 2026-11-05T01:14:33.000Z, after 12 min 30 s',
      '- **Platform:** etcd alerts',
      '[Source](http://prometheus.example:9090/graph)',
    ].join('\n'),
  )
})

test('it omits fields that an alert does not have', async () => {
  const bare = { status: 'firing', labels: {}, annotations: {}, endsAt: null, generatorURL: 'javascript:alert(1)' }
  assert.equal(
    await render(defaultTemplate, bare),
    [
      '- **Status:** firing',
      '- **Alert:** unnamed alert',
      '- **Since:** 2026-11-05T01:02:03.000Z',
      '- **Platform:** etcd alerts',
    ].join('\n'),
  )
})

test('the values of an alert are literal: neither markup nor template', async () => {
  const labels = { alertname: '**bold** [x](https://evil.example)', hostile: '{{ platform.name }}{% for %}' }
  assert.equal(
    await render('{{ alert.name }} {{ alert.labels.hostile }}', { labels }),
    '\\*\\*bold\\*\\* \\[x\\](https://evil.example) {{ platform.name }}{% for %}',
  )
})

const refused: { name: string; template: string; why: RegExp }[] = [
  { name: 'an unclosed tag', template: '{% if alert %}', why: /not closed/ },
  { name: 'an unknown tag', template: '{% shell ls %}', why: /tag "shell" not found/ },
  { name: 'an unknown filter', template: '{{ alert.name | exec }}', why: /undefined filter: exec/ },
  { name: 'a file by include', template: '{% include "/etc/passwd" %}', why: /tag "include" not found/ },
  { name: 'a file by render', template: '{% render "/etc/passwd" %}', why: /tag "render" not found/ },
  { name: 'a file by layout', template: '{% layout "/etc/passwd" %}', why: /tag "layout" not found/ },
  {
    name: 'loops in loops',
    template: '{% for a in (1..9999) %}{% for b in (1..9999) %}{{ a }}{% endfor %}{% endfor %}',
    why: /longer than 100 ms|too much memory/,
  },
  { name: 'an endless range', template: '{% for a in (1..9999999999) %}x{% endfor %}', why: /too much memory/ },
  {
    name: 'empty loops',
    template: '{% for a in (1..9000) %}{% for b in (1..9000) %}{% endfor %}{% endfor %}',
    why: /longer than 100 ms|too much memory/,
  },
  {
    name: 'a list that doubles',
    template: '{% assign a = "1,2" | split: "," %}{% for i in (1..40) %}{% assign a = a | concat: a %}{% endfor %}',
    why: /too much memory|longer than 100 ms/,
  },
  {
    name: 'a text that doubles',
    template: '{% assign a = "xxxx" %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
    why: /too much memory|longer than 100 ms/,
  },
  {
    name: 'a filter that does not return, with its thread',
    template: '{% assign a = (1..300000) %}{{ a | where_exp: "x", "a contains -1" | size }}',
    why: /longer than 100 ms/,
  },
  {
    name: 'a filter that returns late',
    template: '{% assign a = (1..2000) %}{{ a | where_exp: "x", "a contains -1" | size }}',
    why: /longer than 100 ms/,
  },
  { name: 'a wide date', template: '{{ alert.startsAt | date: "%99999999d" }}', why: /memory|longer|more than 16 KiB/ },
  {
    name: 'too much text',
    template: '{% for a in (1..2000) %}0123456789{% endfor %}',
    why: /more than 16 KiB/,
  },
  { name: 'a template that is too long', template: 'x'.repeat(8193), why: /longer than 8192 characters/ },
]

for (const { name, template, why } of refused) {
  test(`terminates ${name}, and the next template is rendered`, async () => {
    const began = performance.now()
    await assert.rejects(render(template), (error: Error) => {
      assert.ok(error instanceof TemplateError, String(error))
      assert.match(error.message, why)
      assert.doesNotMatch(error.message, /\n|\/packages\/|node_modules/)
      return true
    })
    assert.equal(await render('{{ alert.status }}'), 'resolved')
    assert.ok(performance.now() - began < 20_000)
  })
}

const prying = [
  '{{ alert.constructor }}',
  '{{ alert.__proto__ }}',
  '{{ alert.labels.constructor.constructor }}',
  '{{ alert.labels["__proto__"]["polluted"] }}',
  '{{ alert.name.constructor }}',
  '{{ alert.toString }}',
  '{{ process.env }}',
  '{{ globalThis }}',
  '{{ require }}',
  '{{ engine }}',
  '{% assign p = "constructor" %}{{ alert[p] }}',
  '{{ alert | map: "constructor" }}',
  '{{ alert.labels | where: "constructor" }}',
]

for (const template of prying) {
  test(`a template reads nothing from ${template}`, async () => {
    const text = await render(template).catch((error: Error) => error.message)
    assert.doesNotMatch(text, /function|native code|PATH|\/home|Object\]/)
  })
}

test('a label with the name of a prototype is a label', async () => {
  const labels = JSON.parse('{"__proto__":"p","constructor":"c"}')
  assert.equal(await render('{{ alert.labels.constructor }}', { labels }), 'c')
})

test('a busy machine does not fail a template', async (t) => {
  const template = '{% for a in (1..3000) %}{% if a == 0 %}{% endif %}{% endfor %}fine'
  const busy = Array.from({ length: 6 }, () => new Worker('for (;;);', { eval: true }))
  t.after(() => Promise.all(busy.map((worker) => worker.terminate())))
  await Promise.all(busy.map((worker) => once(worker, 'online')))
  for (let n = 0; n < 2; n++) assert.equal(await render(template), 'fine')
})

test('the server answers while a template runs', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 5)
  await assert.rejects(render('{% for a in (1..900000) %}{{ a | date: "%Y" }}{% endfor %}'))
  clearInterval(timer)
  assert.ok(ticks > 3, `${ticks} ticks`)
})
