import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigRenderer, type HostScope } from './config-renderer.ts'

const host = (change: Partial<HostScope> = {}): HostScope => ({
  name: 'web-1',
  address: '10.0.0.1',
  hostName: 'web-1.example',
  architecture: 'x86_64',
  labels: { zone: 'a' },
  ...change,
})
const schema = {
  type: 'object',
  properties: { zone: { type: 'string', maxLength: 2 }, port: { type: 'integer' } },
  additionalProperties: false,
}

async function renderer(t: { after: (work: () => Promise<void>) => void }) {
  const configs = new ConfigRenderer()
  t.after(() => configs.close())
  return configs
}

test('strings are templates over the host; other values stay as they are', async (t) => {
  const configs = await renderer(t)
  const config = {
    name: '{{ host.name }}-{{ host.labels.zone | upcase }}',
    list: ['{{host.address}}', 5],
    on: true,
    no: null,
  }
  assert.deepEqual(await configs.render(config, undefined, [host(), host({ name: 'web-2', labels: { zone: 'b' } })]), [
    { text: '{"name":"web-1-A","list":["10.0.0.1",5],"on":true,"no":null}' },
    { text: '{"name":"web-2-B","list":["10.0.0.1",5],"on":true,"no":null}' },
  ])
})

test('a host without the label has a problem, unless the template has a default', async (t) => {
  const configs = await renderer(t)
  const [missing] = (await configs.render({ zone: '{{ host.labels.rack }}' }, undefined, [host()])) ?? []
  assert.match(JSON.stringify(missing), /config\.zone: the host has no host\.labels\.\w+; set it, or give it a default/)
  const fallback = { zone: '{{ host.labels.rack | default: "none" }}' }
  assert.deepEqual(await configs.render(fallback, undefined, [host()]), [{ text: '{"zone":"none"}' }])
})

test('each rendered configuration is checked against the schema; problems name fields', async (t) => {
  const configs = await renderer(t)
  const rendered = await configs.render({ zone: '{{ host.labels.zone }}' }, schema, [
    host(),
    host({ labels: { zone: 'long' } }),
  ])
  assert.deepEqual(rendered?.[0], { text: '{"zone":"a"}' })
  assert.match(JSON.stringify(rendered?.[1]), /config\.zone /)
})

test('a configuration without templates is checked once', async (t) => {
  const configs = await renderer(t)
  assert.equal(await configs.render({ port: 80 }, schema, [host()]), undefined)
  const [invalid] = (await configs.render({ port: 'x' }, schema, [host()])) ?? []
  assert.match(JSON.stringify(invalid), /config\.port /)
})

test('invalid templates are problems, and a template that does not end is refused', async (t) => {
  const configs = await renderer(t)
  const [invalid] = (await configs.render({ a: '{{ host.name | nothing }}' }, undefined, [host()])) ?? []
  assert.match(JSON.stringify(invalid), /config\.a: the template is not valid: undefined filter: nothing/)
  const endless = { a: '{% for i in (1..9999999) %}{% for j in (1..9999999) %}{% endfor %}{% endfor %}' }
  const [result] =
    (await configs.render(endless, undefined, [host()]).catch((error: Error) => [{ problem: error.message }])) ?? []
  assert.match(JSON.stringify(result), /memory|too much/)
})

test('the prototype of objects is out of reach', async (t) => {
  const configs = await renderer(t)
  const [result] = (await configs.render({ a: '{{ host.constructor }}' }, undefined, [host()])) ?? []
  assert.match(JSON.stringify(result), /the host has no host\.constructor/)
})
