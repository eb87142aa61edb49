import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parseDuration } from './duration.ts'
import { readManifest } from './manifest.ts'
import { manifestSchema, manifestSchemaText } from './manifest-schema.ts'

const docs = new URL('../../../docs/', import.meta.url)

const full = {
  $schema: './package-format.schema.json',
  name: 'etcd-cluster',
  version: '3.4.23',
  type: 'storage',
  install: { run: ['./install.sh', '', 'ünï'], timeout: '10m' },
  verify: { run: ['./verify.sh'] },
  uninstall: { run: ['/usr/bin/env', 'sh', 'uninstall.sh'], timeout: '168h' },
  config: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { port: { $ref: '#/$defs/port' } },
    $defs: { port: { type: 'integer', minimum: 1 } },
  },
  cluster: {
    initialise: { run: ['./init.sh'] },
    token: { run: ['./token.sh'] },
    alerts: { run: ['./alerts.sh'] },
    check: { run: ['./check.sh'] },
    apiPort: 2379,
  },
}

test('reads a manifest with every field', () => {
  assert.deepEqual(readManifest(Buffer.from(JSON.stringify(full))), full)
})

test('reads the smallest manifest', () => {
  const smallest = { name: 'a', version: '1', type: 'b' }
  assert.deepEqual(readManifest(Buffer.from(JSON.stringify(smallest))), smallest)
})

test('the schema of manifests is a JSON Schema', () => {
  const ajv = new Ajv2020()
  assert.ok(ajv.validateSchema(manifestSchema), ajv.errorsText())
})

test('the schema in docs matches the enforced one', async () => {
  assert.equal(await readFile(new URL('package-format.schema.json', docs), 'utf8'), manifestSchemaText())
})

test('accepts every manifest in docs', async () => {
  const text = await readFile(new URL('package-format.md', docs), 'utf8')
  const shown = [...text.matchAll(/```json\n(\{\n? *"(?:name|\$schema)".*?)```/gs)].map(([, json]) => json as string)
  assert.ok(shown.length > 0)
  for (const json of shown) readManifest(Buffer.from(json.replace(/"images": \[[^\]]*\]/, '"images": []')))
})

for (const [text, ms] of [
  ['1s', 1000],
  ['90s', 90_000],
  ['10m', 600_000],
  ['2h', 7_200_000],
  ['168h', 604_800_000],
] as const) {
  test(`${text} is ${ms} ms`, () => assert.equal(parseDuration(text), ms))
}

for (const text of ['', '10', 'm', '0s', '-5m', '1.5h', '10 m', '5d', '1h30m', '169h', '99999h', '１0m', '10m\n']) {
  test(`${JSON.stringify(text)} is not a duration`, () => {
    assert.throws(() => parseDuration(text), { code: 'SoftwarePackage.1132' })
  })
}
