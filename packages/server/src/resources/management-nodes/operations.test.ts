import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertFailure, TestServer } from '@wharf/testkit'

const keyOf = (uuid: string): string => `/v1/management-nodes/${uuid}/ssh-key`

test('a user gets the public SSH key of the server, and nothing else of it', async (t) => {
  const server = await TestServer.start(t)
  const reader = await server.signIn('reader')
  const { managementNodeUuid } = server.bootstrap
  const { status, body, text } = await reader.get(keyOf(managementNodeUuid))
  assert.equal(status, 200, text)
  assert.doesNotMatch(text, /PRIVATE/)
  const stored = readFileSync(join(server.environment.WHARF_DATA ?? '', 'ssh', 'id_ed25519.pub'), 'utf8')
  assert.equal(`${body.publicKey}\n`, stored)
  assert.match(String(body.fingerprint), /^SHA256:[A-Za-z0-9+/]{43}$/)
  assertFailure(await reader.get(keyOf('f'.repeat(32))), { status: 404, code: 'SYS.1003' })
})

test('the public URL of a node is the configured one, or the one that it listens at', async (t) => {
  const publicUrl = async (server: TestServer): Promise<unknown> => {
    const { inventories } = (await server.admin.get('/v1/management-nodes')).body
    return (inventories as { publicUrl: string }[])[0]?.publicUrl
  }
  const configured = await TestServer.start(t, { environment: { WHARF_PUBLIC_URL: 'https://wharf.example.com' } })
  assert.equal(await publicUrl(configured), 'https://wharf.example.com')
  const plain = await TestServer.start(t)
  assert.equal(await publicUrl(plain), plain.bootstrap.url)
})
