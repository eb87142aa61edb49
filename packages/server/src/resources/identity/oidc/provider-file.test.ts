import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readProviderFile } from './provider-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-provider-file-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'oidc.json')
writeFileSync(join(folder, 'secret'), 'of the client\n')
writeFileSync(join(folder, 'empty'), '\n')

const rule = { claim: 'groups', value: 'ops', role: 'operator', account: 'admin' }
const provider = {
  id: 'corp',
  label: 'Example Corp',
  issuer: 'https://id.example.com',
  clientId: 'wharf',
  clientSecretFile: 'secret',
  rules: [rule],
}

function read(content: unknown): ReturnType<typeof readProviderFile> {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readProviderFile(file)
}

test('reads providers; the secret is relative to the file, and scopes and the id have a default', () => {
  const [first] = read([provider])
  assert.deepEqual(first, {
    ...provider,
    clientSecretFile: join(folder, 'secret'),
    scopes: ['openid', 'profile', 'email'],
  })
  assert.deepEqual(read([{ ...provider, scopes: ['openid', 'groups'] }])[0]?.scopes, ['openid', 'groups'])
  assert.equal(read([{ ...provider, id: undefined }])[0]?.id, 'example-corp')
  assert.equal(read([{ ...provider, issuer: 'http://127.0.0.1:3000' }])[0]?.issuer, 'http://127.0.0.1:3000')
})

const refused: Record<string, [content: unknown, text: RegExp]> = {
  'no JSON': ['[{', /it is not valid JSON: /],
  'no list': [provider, /it must be a list of providers/],
  'no providers': [[], /it has no providers; add one, or unset WHARF_OIDC_FILE/],
  'a text as provider': [['corp'], /provider 1: it must be an object with id, label,/],
  'an unknown field': [
    [{ ...provider, clientID: 'x' }],
    /provider 1 "corp": unknown field "clientID": did you mean clientId\?/,
  ],
  'a secret instead of its file': [[{ ...provider, password: 'x' }], /unknown field "password": use id, label/],
  'no issuer': [[{ ...provider, issuer: undefined }], /provider 1 "corp": issuer is missing/],
  'an issuer without TLS': [[{ ...provider, issuer: 'http://id.example.com' }], /issuer must start with https:\/\//],
  'an issuer that is not an address': [
    [{ ...provider, issuer: 'id.example.com' }],
    /issuer must be an address such as/,
  ],
  'an issuer with a query': [[{ ...provider, issuer: 'https://id.example.com/?a=b' }], /issuer must be an address/],
  'an id that is not part of an address': [[{ ...provider, id: 'My Corp' }], /id must be 1 to 32 lower-case letters/],
  'a label without letters of an address': [[{ ...provider, id: undefined, label: '公司' }], /id must be 1 to 32/],
  'an empty label': [[{ ...provider, label: ' ' }], /label must be a text of 1 to 1024 characters/],
  'a missing secret file': [
    [{ ...provider, clientSecretFile: 'none' }],
    /clientSecretFile .*none cannot be read: no such file/,
  ],
  'an empty secret file': [[{ ...provider, clientSecretFile: 'empty' }], /clientSecretFile .*empty is empty; write/],
  'scopes without openid': [[{ ...provider, scopes: ['profile'] }], /scopes must contain openid/],
  'scopes that are a text': [[{ ...provider, scopes: 'openid' }], /scopes must be a list of texts/],
  'no rules': [[{ ...provider, rules: undefined }], /rules is missing: without a rule nobody can sign in/],
  'an empty list of rules': [[{ ...provider, rules: [] }], /rules must be a list with at least one/],
  'an unknown role': [
    [{ ...provider, rules: [rule, { ...rule, role: 'root' }] }],
    /rules\[1\]: role "root" must be one of admin, operator, reader/,
  ],
  'a rule without an account': [
    [{ ...provider, rules: [{ ...rule, account: undefined }] }],
    /rules\[0\]: account is missing/,
  ],
  'a rule with an unknown field': [
    [{ ...provider, rules: [{ ...rule, acount: 'x' }] }],
    /rules\[0\]: unknown field "acount": did you mean account\?/,
  ],
  'an id twice': [[provider, { ...provider, clientId: 'other' }], /provider 2 "corp": its id is used twice/],
  'a provider twice': [
    [provider, { ...provider, id: 'again' }],
    /provider 2 "again": "corp" has the same issuer and clientId/,
  ],
}
for (const [name, [content, text]] of Object.entries(refused))
  test(`refuses ${name}, and names the file`, () => {
    assert.throws(
      () => read(content),
      (error: Error) => {
        assert.match(error.message, text)
        assert.ok(error.message.startsWith(`WHARF_OIDC_FILE ${file}: `))
        return true
      },
    )
  })
