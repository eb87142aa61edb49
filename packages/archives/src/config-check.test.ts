import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configCheck, type JsonSchema } from './config-check.ts'

const server: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['host', 'port'],
  properties: {
    host: { type: 'string', minLength: 1 },
    port: { $ref: '#/$defs/port' },
    mode: { enum: ['one', 'three'] },
    peers: { type: 'array', items: { $ref: '#/$defs/peer' }, maxItems: 2 },
    secret: { type: 'string', pattern: '^[a-z]+$' },
  },
  additionalProperties: false,
  $defs: { port: { type: 'integer', minimum: 1, maximum: 65_535 }, peer: { $anchor: 'peer', type: 'string' } },
}

const rows: [config: unknown, problems: string[]][] = [
  [{ host: 'a', port: 1 }, []],
  [{ host: 'a', port: 1, mode: 'one', peers: ['b', 'c'] }, []],
  [{ host: 'a' }, ['config: port is missing']],
  [{}, ['config: host, port is missing']],
  ['text', ['config must be object']],
  [{ host: 'a', port: 0 }, ['config.port must be >= 1']],
  [{ host: 'a', port: '1' }, ['config.port must be integer']],
  [{ host: 'a', port: 1, prot: 2 }, ['config: prot is not known']],
  [{ host: 'a', port: 1, peers: ['b', 5] }, ['config.peers.1 must be string']],
]

for (const [config, problems] of rows) {
  test(`finds ${problems.join(', ') || 'nothing'} in ${JSON.stringify(config)}`, () => {
    assert.deepEqual(configCheck(server)(config), problems)
  })
}

for (const [schema, config, problem] of [
  [{ properties: { a: false } }, { a: 1 }, 'config.a is not allowed'],
  [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 2], 'config.1 is not allowed'],
  [{ patternProperties: { '^x': false } }, { x1: 1 }, 'config.x1 is not allowed'],
  [{ allOf: [false] }, {}, 'config is not allowed'],
  [{ properties: { additionalProperties: false } }, { additionalProperties: 1 }, 'config does not fit the schema'],
] as [JsonSchema, unknown, string][]) {
  test(`finds "${problem}" by a schema with false in it`, () => {
    assert.deepEqual(configCheck(schema)(config), [problem])
  })
}

test('reports no values, since a configuration contains secrets', () => {
  const problems = configCheck(server)({ host: 'a', port: 1, secret: 'HUNTER2' })
  assert.equal(problems.length, 1)
  assert.ok(!problems.join().includes('HUNTER2'))
})

test('accepts a reference to an anchor, and a recursive schema', () => {
  assert.deepEqual(
    configCheck({ properties: { a: { $ref: '#x' } }, $defs: { b: { $anchor: 'x', type: 'string' } } })({ a: 'b' }),
    [],
  )
  const tree: JsonSchema = { type: 'object', properties: { child: { $ref: '#' } }, additionalProperties: false }
  assert.deepEqual(configCheck(tree)({ child: { child: {} } }), [])
  assert.equal(configCheck(tree)({ child: { child: 5 } }).length, 1)
})

test('a value that looks like a reference is not resolved', () => {
  assert.deepEqual(configCheck({ const: { $ref: 'http://127.0.0.1/' } })({ $ref: 'http://127.0.0.1/' }), [])
})

test('stops a pattern that backtracks indefinitely', () => {
  const check = configCheck({ properties: { a: { pattern: '^(a+)+$' } } })
  const started = performance.now()
  assert.match(check({ a: `${'a'.repeat(100)}!` }).join(), /cannot be checked: it took longer/)
  assert.ok(performance.now() - started < 5000)
})

test('stops a schema that branches indefinitely', () => {
  const $defs: JsonSchema = { leaf: false }
  for (let level = 0; level < 40; level += 1) {
    const next = { $ref: `#/$defs/${level === 0 ? 'leaf' : `level${level - 1}`}` }
    $defs[`level${level}`] = { anyOf: [next, next] }
  }
  assert.throws(() => configCheck({ $defs, $ref: '#/$defs/level39' }), {
    code: 'SoftwarePackage.1132',
    message: /took longer/,
  })
})

test('a schema cannot run code', () => {
  const names = [
    '__proto__',
    'constructor',
    '"]);globalThis.ran=1;//',
    `\${globalThis.ran=1}`,
    "\\');globalThis.ran=1;//",
  ]
  for (const name of names) {
    const schema = JSON.parse(
      JSON.stringify({ properties: { x: { const: name } }, required: [name], $comment: name }),
    ) as JsonSchema
    schema.properties = JSON.parse(
      `{${JSON.stringify(name)}: {"type": "string", "pattern": ${JSON.stringify(name.replaceAll(/[^a-z]/g, '.'))}}}`,
    )
    configCheck(schema)({ [name]: 5 })
  }
  assert.equal('ran' in globalThis, false)
  assert.equal(({} as JsonSchema).type, undefined)
})

for (const [name, schema] of Object.entries({
  'of another draft': { $schema: 'http://json-schema.org/draft-07/schema#' },
  'with an external reference': { $ref: 'https://example.com/schema' },
  'that is invalid': { type: 'strin' },
  'that is nested too deeply': JSON.parse(`${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`) as JsonSchema,
  'that is too large': { enum: Array.from({ length: 100_000 }, (_, index) => index) },
})) {
  test(`refuses a schema ${name}`, () => {
    assert.throws(() => configCheck(schema), { code: 'SoftwarePackage.1132', message: /config/ })
  })
}
