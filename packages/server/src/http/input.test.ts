import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Choice,
  deleteTag,
  Flag,
  Integer,
  installSoftwarePackage,
  List,
  logInByAccount,
  logOut,
  Name,
  type Operation,
  operation,
  operations,
  optional,
  queryTag,
  Uuid,
  Verbatim,
} from '@wharf/contract'
import { type Input, inputReader } from './input.ts'

const uuid = 'ab'.repeat(16)
const dashed = uuid.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const another = 'cd'.repeat(16)

const base = {
  resource: 'demo',
  summary: 'Made up for the tests',
  since: 'wharf-1.0.0',
  permission: 'operate',
  answer: {},
} as const
const make = operation({
  ...base,
  name: 'Make',
  method: 'POST',
  path: '/v1/made',
  structure: 'params',
  configTag: 'uploadConfig',
  fields: {
    name: Name(),
    type: optional(Name()),
    size: optional(Integer(1, 10)),
    isBig: optional(Flag()),
    colour: optional(Choice(['red', 'blue'])),
    hostUuid: optional(Uuid()),
    tagUuids: optional(List(Uuid())),
    config: optional(Verbatim(20)),
  },
})
const change = operation({
  ...base,
  name: 'Change',
  method: 'PUT',
  path: '/v1/made/{uuid}/actions',
  structure: 'changeMade',
  fields: { name: optional(Name()) },
})
const remove = operation({
  ...base,
  name: 'Remove',
  method: 'DELETE',
  path: '/v1/made/{uuid}',
  fields: { deleteMode: optional(Choice(['Permissive', 'Enforcing'])), sizes: optional(List(Integer(0, 9))) },
})

interface Given {
  operation: Operation
  path?: Record<string, string>
  query?: string
  body?: unknown
}

function read({ operation, path, query = '', body }: Given): Input {
  const parameters = path ?? (operation.path.includes('{uuid}') ? { uuid } : {})
  return inputReader(operation)({ path: parameters, query, body })
}

const clientWords = {
  sessionId: 's',
  requestIp: '1.2.3.4',
  accessKeyId: 'i',
  accessKeySecret: 'k',
  timeout: 5,
  pollingInterval: [5],
}
const loginWords = { accountType: 'x', captchaUuid: 'x', verifyCode: 'x', clientInfo: {} }
const inQuery = (words: object): string =>
  Object.keys(words)
    .map((name) => `${name}=x`)
    .join('&')
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
const credentials = { accountName: 'a', password: ' p ' }

const accepted: (Given & { name: string; fields: object; system?: string[]; user?: string[] })[] = [
  { name: 'no body where all is optional', operation: change, fields: {} },
  { name: 'an empty body', operation: change, body: {}, fields: {} },
  { name: 'a null body', operation: change, body: null, fields: {} },
  { name: 'a null structure', operation: change, body: { changeMade: null }, fields: {} },
  { name: 'tags without the structure, and ignores them', operation: change, body: { userTags: ['x'] }, fields: {} },
  {
    name: 'tags of any form in an update, and ignores them',
    operation: change,
    query: 'systemTags=uploadUr::x',
    body: { systemTags: 5, userTags: ['a\0b'], changeMade: { systemTags: ['uploadUr::x'], userTags: {} } },
    fields: {},
  },
  {
    name: 'the configuration of an update in its tag, and ignores the other tags',
    operation: installSoftwarePackage,
    body: {
      systemTags: [7, 'instalConfig::x', 'installConfig::{"config":"c"}', 'uploadConfig::nonsense'],
      userTags: 'x',
    },
    fields: { config: 'c' },
  },
  {
    name: 'an unknown system tag of a create',
    operation: make,
    body: { systemTags: ['nonsense::x'], params: { name: 'a' } },
    fields: { name: 'a' },
    system: ['nonsense::x'],
  },
  { name: 'null for a field that is absent', operation: change, body: { changeMade: { name: null } }, fields: {} },
  { name: 'an installation without anything', operation: installSoftwarePackage, fields: {} },
  {
    name: 'text, trimmed',
    operation: make,
    body: { params: { name: '  a b\u00a0', type: ' t', hostUuid: ` ${uuid} `, tagUuids: [` ${uuid}`] } },
    fields: { name: 'a b', type: 't', hostUuid: uuid, tagUuids: [uuid] },
  },
  {
    name: 'an empty string in an optional field of any type as no field',
    operation: make,
    body: {
      params: { name: 'a', type: '', size: '', isBig: '', colour: '  ', hostUuid: '', tagUuids: '', config: '' },
    },
    fields: { name: 'a' },
  },
  {
    name: 'a space in an optional verbatim field, as it is',
    operation: make,
    body: { params: { name: 'a', config: ' ' } },
    fields: { name: 'a', config: ' ' },
  },
  {
    name: 'empty values in a query as none',
    operation: queryTag,
    query: 'limit=&start&count=&sort=&q=&fields=&groupBy=&filterName=',
    fields: {},
  },
  {
    name: 'a list in a query without its empty values',
    operation: queryTag,
    query: 'q=&q=name=x',
    fields: { q: ['name=x'] },
  },
  { name: 'an empty deleteMode in the query', operation: remove, query: 'deleteMode=', fields: {} },
  {
    name: 'an empty deleteMode in the body, and another in the query',
    operation: remove,
    query: 'deleteMode=Enforcing',
    body: { deleteMode: '' },
    fields: { deleteMode: 'Enforcing' },
  },
  {
    name: 'uuids with dashes and capitals',
    operation: make,
    body: { params: { name: dashed, hostUuid: dashed, tagUuids: [dashed, ` ${another.toUpperCase()}`] } },
    fields: { name: dashed, hostUuid: uuid, tagUuids: [uuid, another] },
  },
  {
    name: 'a dashed uuid in the tag of the operation',
    operation: make,
    body: { systemTags: [`uploadConfig::{"name":"a","hostUuid":"${dashed}"}`] },
    fields: { name: 'a', hostUuid: uuid },
    system: [`uploadConfig::{"name":"a","hostUuid":"${dashed}"}`],
  },
  {
    name: 'verbatim text, as it is',
    operation: make,
    body: { params: { name: 'a', config: '\n\t{ } \u0001' } },
    fields: { name: 'a', config: '\n\t{ } \u0001' },
  },
  {
    name: 'a password with its spaces',
    operation: logInByAccount,
    body: { logInByAccount: { accountName: ' a ', password: ' p ' } },
    fields: credentials,
  },
  {
    name: 'what client libraries add beside the structure and inside it',
    operation: make,
    body: { ...clientWords, params: { name: 'a', ...clientWords } },
    fields: { name: 'a' },
  },
  {
    name: 'what client libraries add to the query of a POST',
    operation: make,
    query: inQuery(clientWords),
    body: { params: { name: 'a' } },
    fields: { name: 'a' },
  },
  { name: 'what client libraries add to a query', operation: queryTag, query: inQuery(clientWords), fields: {} },
  {
    name: 'what client libraries add to a DELETE',
    operation: remove,
    query: inQuery(clientWords),
    body: clientWords,
    fields: {},
  },
  {
    name: 'what client libraries add at login',
    operation: logInByAccount,
    query: inQuery(loginWords),
    body: { ...loginWords, ...clientWords, logInByAccount: { ...credentials, ...loginWords, ...clientWords } },
    fields: credentials,
  },
  {
    name: 'tags beside the structure and inside it, as one list',
    operation: make,
    body: {
      systemTags: ['uploadUrl::a'],
      userTags: ['x', 'y'],
      params: { name: 'a', systemTags: ['initConfig::b', 'uploadUrl::a'], userTags: ['y', 'z'] },
    },
    fields: { name: 'a' },
    system: ['uploadUrl::a', 'initConfig::b'],
    user: ['x', 'y', 'z'],
  },
  {
    name: 'tags of any form in a query, and ignores them',
    operation: queryTag,
    query: 'systemTags=uploadUrl::a&systemTags=uploadUr::b&systemTags=&userTags.1=y&userTags.0=x%00x',
    fields: {},
  },
  {
    name: 'fields in the tag of the operation, required ones too',
    operation: make,
    body: { systemTags: ['uploadConfig::{"name":" a ","size":3,"config":" c "}'] },
    fields: { name: 'a', size: 3, config: ' c ' },
    system: ['uploadConfig::{"name":" a ","size":3,"config":" c "}'],
  },
  {
    name: 'fields in the tag with one more pair of braces',
    operation: make,
    body: { params: { systemTags: ['uploadConfig::{{"name":"a"}}'] } },
    fields: { name: 'a' },
    system: ['uploadConfig::{{"name":"a"}}'],
  },
  {
    name: 'fields in the tag in base64, in their structure',
    operation: make,
    body: { systemTags: [`uploadConfig::${base64({ params: { name: 'a', sessionId: 'x' } })}`] },
    fields: { name: 'a' },
    system: [`uploadConfig::${base64({ params: { name: 'a', sessionId: 'x' } })}`],
  },
  {
    name: 'a field of the body before that of the tag; null is none',
    operation: make,
    body: { systemTags: ['uploadConfig::{"name":"a","type":"t","size":3}'], params: { size: 4, type: null } },
    fields: { name: 'a', type: 't', size: 4 },
    system: ['uploadConfig::{"name":"a","type":"t","size":3}'],
  },
  {
    name: 'the tag of another operation, as a tag',
    operation: make,
    body: { systemTags: ['installConfig::{"nonsense":1}'], params: { name: 'a' } },
    fields: { name: 'a' },
    system: ['installConfig::{"nonsense":1}'],
  },
  {
    name: 'a DELETE by its query',
    operation: remove,
    query: 'deleteMode=Enforcing',
    fields: { deleteMode: 'Enforcing' },
  },
  {
    name: 'a DELETE by its body',
    operation: remove,
    body: { deleteMode: 'Enforcing', systemTags: ['uploadUr::a', 5], userTags: 'x' },
    fields: { deleteMode: 'Enforcing' },
  },
  {
    name: 'a DELETE by both, with the same values',
    operation: remove,
    query: 'deleteMode=Enforcing&sizes=1&sizes=2&userTags=y&systemTags=a',
    body: { deleteMode: ' Enforcing', sizes: [1, 2], userTags: ['x'], systemTags: ['b'] },
    fields: { deleteMode: 'Enforcing', sizes: [1, 2] },
  },
  {
    name: 'a DELETE whose body leaves to the query what is null in it',
    operation: remove,
    query: 'deleteMode=Permissive&userTags=x',
    body: { deleteMode: null, userTags: [] },
    fields: { deleteMode: 'Permissive' },
  },
  {
    name: 'deleteMode, of every DELETE',
    operation: deleteTag,
    query: 'deleteMode=Permissive',
    fields: { deleteMode: 'Permissive' },
  },
  { name: 'a path variable again in the query', operation: remove, query: `uuid=${uuid}`, fields: {} },
  { name: 'a path variable again in the query of a PUT', operation: change, query: `uuid=${uuid}`, fields: {} },
  {
    name: 'a path variable again in the structure, under either name and in either form',
    operation: change,
    body: { changeMade: { uuid: dashed, madeUuid: uuid, name: 'a' } },
    fields: { name: 'a' },
  },
  {
    name: 'a path variable again where it is empty or null',
    operation: change,
    query: 'uuid=&madeUuid',
    body: { changeMade: { uuid: '', madeUuid: null } },
    fields: {},
  },
  {
    name: 'a path variable again in the query and the body of a DELETE',
    operation: remove,
    query: `madeUuid=${dashed}&uuid=${uuid}`,
    body: { uuid, madeUuid: dashed, deleteMode: 'Permissive' },
    fields: { deleteMode: 'Permissive' },
  },
  { name: 'a session again by its long name', operation: logOut, query: `sessionUuid=${dashed}`, fields: {} },
  {
    name: 'a path variable in the tag that carries the message',
    operation: installSoftwarePackage,
    body: { systemTags: [`installConfig::{"uuid":"${uuid}","softwarePackageUuid":"${uuid}","config":"c"}`] },
    fields: { config: 'c' },
  },
  { name: 'a session that is not a uuid', operation: logOut, path: { uuid: 'no uuid' }, fields: {} },
]

for (const { name, fields, system = [], user = [], ...given } of accepted)
  test(`accepts ${name}`, () => {
    assert.deepEqual(read(given), { fields, tags: { system, user } })
  })

const refused: (Given & { name?: string; code?: string; details: string })[] = [
  { operation: make, details: 'params.name is required' },
  { operation: make, body: {}, details: 'params.name is required' },
  { operation: make, body: { params: { name: null } }, details: 'params.name is required' },
  { operation: make, body: { params: { name: '  ' } }, details: 'params.name must not be empty' },
  {
    operation: make,
    body: { name: 'a' },
    details: 'the body has an unknown field "name"; allowed: params, systemTags, userTags',
  },
  {
    operation: make,
    body: { params: { name: 'a', Type: 'x' } },
    details: 'params has an unknown field "Type"; allowed: name, type,',
  },
  { operation: make, body: { params: { name: 'a', params: {} } }, details: 'unknown field "params"' },
  { operation: make, body: { params: { name: 'a', captchaUuid: 'x' } }, details: 'unknown field "captchaUuid"' },
  { operation: make, body: { params: { name: 'a', constructor: 1 } }, details: 'unknown field "constructor"' },
  { operation: make, body: { params: { name: 'a', toString: 1 } }, details: 'unknown field "toString"' },
  { operation: make, body: { params: { name: 'a', '\ud800x': 1 } }, details: 'unknown field "\\ud800x"' },
  {
    operation: make,
    body: { params: { name: 'a', ['x'.repeat(200)]: 1 } },
    details: `unknown field "${'x'.repeat(64)}"`,
  },
  { operation: make, body: { params: { name: 5 } }, details: 'params.name must be a string' },
  { operation: make, body: { params: { name: ['a'] } }, details: 'params.name must be a string' },
  {
    operation: make,
    body: { params: { name: 'x'.repeat(256) } },
    details: 'params.name may have at most 255 characters',
  },
  {
    operation: make,
    body: { params: { name: 'a', config: 'x'.repeat(21) } },
    details: 'params.config may have at most 20 characters',
  },
  { operation: make, body: { params: { name: 'a', size: '5' } }, details: 'params.size must be a whole number' },
  { operation: make, body: { params: { name: 'a', size: 1.5 } }, details: 'params.size must be a whole number' },
  { operation: make, body: { params: { name: 'a', size: 11 } }, details: 'params.size must be at most 10' },
  { operation: make, body: { params: { name: 'a', isBig: 'true' } }, details: 'params.isBig must be true or false' },
  { operation: make, body: { params: { name: 'a', isBig: 1 } }, details: 'params.isBig must be true or false' },
  {
    operation: make,
    body: { params: { name: 'a', colour: 'Red' } },
    details: 'params.colour must be one of red, blue',
  },
  { operation: make, body: { params: { name: 'a', hostUuid: 'x' } }, details: 'params.hostUuid must be a uuid' },
  {
    operation: make,
    body: { params: { name: 'a', hostUuid: `${dashed}0` } },
    details: 'params.hostUuid must be a uuid of 32 hex digits',
  },
  { operation: make, body: { params: { name: 'a', tagUuids: [''] } }, details: 'params.tagUuids.0 must be a uuid' },
  {
    operation: make,
    body: { params: { name: 'a', tagUuids: [uuid, 'x'] } },
    details: 'params.tagUuids.1 must be a uuid',
  },
  { operation: make, body: { params: { name: 'a', tagUuids: uuid } }, details: 'params.tagUuids must be a list' },
  {
    operation: make,
    body: { params: { name: 'a', tagUuids: [[[uuid]]] } },
    details: 'params.tagUuids.0 must be a string',
  },
  ...['\0', 'a\nb', 'a\tb', '\u001b[31m', '\u007f', '\u0085', '\ud800', 'a\udc00b'].map((name) => ({
    operation: make,
    name: `the name ${JSON.stringify(name)}`,
    body: { params: { name } },
    details: 'name contains control characters, or characters that are not text',
  })),
  ...['\0', '\ud800'].map((config) => ({
    operation: make,
    name: `the config ${JSON.stringify(config)}`,
    body: { params: { name: 'a', config } },
    details: 'config contains control characters',
  })),
  {
    operation: make,
    body: { params: { size: 0, colour: 5 } },
    details: 'params.name is required; params.size must be at least 1; params.colour',
  },
  { operation: make, body: { filterName: 'x' }, code: 'SYS.1014', details: 'filterName' },
  { operation: make, body: { params: { filterName: 'x' } }, code: 'SYS.1014', details: 'filterName' },
  { operation: remove, body: { filterName: 'x' }, code: 'SYS.1014', details: 'filterName' },
  { operation: queryTag, query: 'filterName=x', code: 'SYS.1014', details: 'filterName' },
  { operation: queryTag, query: 'groupBy=name', code: 'SYS.1014', details: 'groupBy' },
  { operation: make, body: { groupBy: 'x', params: { name: 'a' } }, code: 'SYS.1014', details: 'groupBy' },
  { operation: make, body: { params: { name: 'a', groupBy: ['x'] } }, code: 'SYS.1014', details: 'groupBy' },
  {
    operation: make,
    body: { systemTags: ['uploadConfg::{}'], params: { name: 'a' } },
    details: 'systemTags: "uploadConfg" is close to the known pattern uploadConfig::',
  },
  {
    operation: make,
    body: { params: { name: 'a', systemTags: 'uploadUrl::x' } },
    details: 'systemTags must be a list',
  },
  { operation: make, query: 'systemTags=a::b', details: 'the query has an unknown field "systemTags"' },
  {
    operation: make,
    body: { systemTags: ['uploadConfig::nonsense'], params: { name: 'a' } },
    details: 'must carry a JSON object',
  },
  {
    operation: make,
    body: { systemTags: ['uploadConfig::{"name":"a","x":1}'] },
    details: 'uploadConfig has an unknown field "x"',
  },
  { operation: make, body: { systemTags: ['uploadConfig::{"size":3}'] }, details: 'params.name is required' },
  {
    operation: make,
    body: { systemTags: ['uploadConfig::{"name":"a","size":11}'] },
    details: 'params.size must be at most 10',
  },
  {
    operation: make,
    body: { systemTags: [`uploadConfig::{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`] },
    name: 'a deep tag',
    details: 'params.name',
  },
  {
    operation: change,
    body: { changeMade: { uuid: another } },
    details: 'changeMade.uuid differs from the one in the path; leave it out or send the same',
  },
  { operation: change, body: { changeMade: { uuid: [uuid] } }, details: 'changeMade.uuid differs from the one in' },
  { operation: change, body: { changeMade: { madeUuid: another } }, details: 'changeMade.madeUuid differs from' },
  { operation: change, query: `uuid=${another}`, details: 'the query: uuid differs from the one in the path' },
  { operation: change, query: `uuid=${uuid}&uuid=${another}`, details: 'the query: uuid differs' },
  { operation: remove, body: { madeUuid: another }, details: 'madeUuid differs from the one in the path' },
  { operation: logOut, query: `sessionUuid=${another}`, details: 'the query: sessionUuid differs from' },
  { operation: change, body: { uuid }, details: 'the body has an unknown field "uuid"' },
  { operation: change, body: { changeMade: { hostUuid: uuid } }, details: 'unknown field "hostUuid"' },
  { operation: make, body: { params: { name: 'a', uuid } }, details: 'unknown field "uuid"' },
  { operation: change, query: 'name=a', details: 'the query has an unknown field "name"; allowed: nothing' },
  { operation: remove, body: { deleteMode: 'enforcing' }, details: 'deleteMode must be one of Permissive, Enforcing' },
  { operation: remove, body: { params: {} }, details: 'the body has an unknown field "params"' },
  { operation: remove, query: 'nonsense=1', details: 'the query has an unknown field "nonsense"' },
  {
    operation: remove,
    query: 'deleteMode=Permissive',
    body: { deleteMode: 'Enforcing' },
    details: 'deleteMode differs between the body and the query',
  },
  {
    operation: remove,
    query: 'sizes=1',
    body: { sizes: [1, 2] },
    details: 'sizes differs between the body and the query',
  },
  { operation: remove, path: { uuid: 'x' }, code: 'SYS.1003', details: 'there is no resource with uuid "x"' },
  { operation: change, path: { uuid: 'x' }, body: 'nonsense', code: 'SYS.1003', details: 'there is no resource' },
]

for (const { name, code = 'SYS.1007', details, ...given } of refused)
  test(`refuses ${name ?? `${given.query ?? ''}${JSON.stringify(given.body) ?? ''}`.slice(0, 70)} to ${given.operation.name}`, () => {
    assert.throws(
      () => read(given),
      (error: Error & { code: string }) => {
        assert.equal(error.code, code)
        assert.ok(error.message.includes(details), `${error.message} does not contain ${details}`)
        return true
      },
    )
  })

const promisedLengths: Record<string, number> = {
  name: 255,
  type: 255,
  managementIp: 255,
  url: 2048,
  installPath: 1024,
  directoryPath: 1024,
  description: 2048,
  template: 8192,
  userId: 64,
  remark: 128,
  config: 128 * 1024,
}

test('a text may be as long as documented, in every operation', () => {
  let found = 0
  for (const { name, fields } of operations)
    for (const [field, maxLength] of Object.entries(promisedLengths)) {
      const schema = fields[field] as { type?: string; maxLength?: number; enum?: unknown } | undefined
      if (schema?.type !== 'string' || schema.enum !== undefined) continue
      found++
      assert.equal(schema.maxLength, maxLength, `${name}.${field}`)
    }
  assert.ok(found > 10)
})
