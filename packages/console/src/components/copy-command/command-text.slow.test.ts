import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createAccount, createTag, deleteTag, queryTag } from '@wharf/contract'
import { TestServer, wharfCommand } from '@wharf/testkit'
import { type ApiCall, curlCommands, shellWord, wharfCommands } from './command-text.ts'

const wharfWords = wharfCommand.map(shellWord).join(' ')
const password = 'a "quoted" \\ $HOME\tsecret'

test('the commands make the calls', async (t) => {
  const server = await TestServer.start(t)
  const folder = mkdtempSync(join(tmpdir(), 'wharf-commands-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { credential } = await server.signIn('admin')
  const { accessKeyId, accessKeySecret } = server.bootstrap
  const { PATH = '' } = process.env
  const env = {
    PATH,
    HOME: folder,
    WHARF_URL: server.url,
    WHARF_ACCESS_KEY_ID: accessKeyId,
    WHARF_ACCESS_KEY_SECRET: accessKeySecret,
    WHARF_SESSION: credential.kind === 'session' ? credential.uuid : '',
    PASSWORD: password,
  }
  const answerOf = async (command: string) => {
    const run = promisify(execFile)('/bin/sh', ['-c', command], { env, timeout: 60_000 })
    return JSON.parse((await run).stdout)
  }
  const run = {
    wharf: async (call: ApiCall) => answerOf(`wharf() { ${wharfWords} "$@" --json; }\n${wharfCommands([call])}`),
    curl: async (call: ApiCall) => answerOf(curlCommands([call], server.url)),
  }

  for (const program of ['wharf', 'curl'] as const)
    await t.test(program, async () => {
      const name = `${program}'s "tag" [$HOME]`
      const created = await run[program]({
        operation: createTag,
        input: { name, color: '#2563eb', userTags: ['a', '[b'] },
      })
      const tag = created.inventory ?? created
      assert.equal(tag.name, name)
      const stored = await server.admin.get(`/v1/user-tags?q=resourceUuid=${tag.uuid}&sort=+tag`)
      const texts = (stored.body.inventories as { tag: string }[]).map((one) => one.tag)
      assert.deepEqual(texts.toSorted(), ['[b', 'a'])

      const found = await run[program]({
        operation: queryTag,
        input: { q: [`name=${name}`], fields: ['uuid', 'name'] },
      })
      assert.deepEqual(found.inventories ?? found, [{ uuid: tag.uuid, name }])

      await run[program]({ operation: deleteTag, input: { uuid: tag.uuid } })
      assert.equal((await server.admin.get(`/v1/tags?q=uuid=${tag.uuid}&count=true`)).body.total, 0)

      const account = `account of ${program}`
      await run[program]({ operation: createAccount, input: { name: account, password, role: 'reader' } })
      assert.ok(await server.logIn(account, password))
    })
})
