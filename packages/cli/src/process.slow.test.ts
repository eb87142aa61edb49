import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PackageFixture } from '@wharf/testkit'
import { environmentOf, freshHome } from './testing/captured-io.ts'

const program = fileURLToPath(new URL('../../../bin/wharf', import.meta.url))

test('as a separate process', async (t) => {
  const fixture = await PackageFixture.start(t)
  const home = freshHome(t)
  const { PATH = '' } = process.env
  const known = { PATH, HOME: home, ...environmentOf(fixture.server.bootstrap) }
  const sh = async (script: string, env: Record<string, string> = known) => {
    const run = promisify(execFile)('bash', ['-c', script], { env: { ...env, wharf: program }, cwd: '/' })
    const { stdout, stderr } = await run.catch((error) => ({ ...error, stdout: `code ${error.code}\n${error.stdout}` }))
    return { stdout, stderr }
  }

  await t.test('a closed pipe is not an error', async () => {
    for (let tag = 0; tag < 3; tag++) await fixture.admin.post('/v1/tags', { params: { name: `tag-${tag}` } })
    // long enough to fill a pipe
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
    const script = '"$wharf" api GET /v1/errorcode/elaborations | head -c 1; echo " ${PIPESTATUS[*]}"'
    assert.deepEqual(await sh(script), { stdout: '{ 0 0\n', stderr: '' })
    const { stdout, stderr } = await sh('"$wharf" host list | head -1; "$wharf" host list 2>&- | wc -l')
    assert.match(stdout, /^NAME .*\n2\n$/)
    assert.equal(stderr, '')
  })

  await t.test('a failed write is reported in one line', async () => {
    const { stdout, stderr } = await sh('"$wharf" host list >/dev/full')
    assert.equal(stdout, 'code 1\n')
    assert.match(stderr, /^error: cannot write the output: ENOSPC.*\n$/)
  })

  await t.test('stdout contains only data', async () => {
    const { stdout } = await sh('"$wharf" package list --json 2>/dev/null')
    assert.deepEqual(JSON.parse(stdout), [])
    const all = await sh(`"$wharf" package upload ${program} --type x --backup-storage --json 2>/dev/null`)
    assert.equal(JSON.parse(all.stdout).status, 'Uploaded')
  })

  await t.test('finds the local server by its data folder', async () => {
    const env = { PATH, HOME: home, WHARF_DATA: fixture.server.environment.WHARF_DATA ?? '' }
    assert.match((await sh('"$wharf" profile show', env)).stdout, /from|bootstrap\.json/i)
    assert.match((await sh('"$wharf" host list', env)).stdout, /this-node/)
  })

  await t.test('runs through a symbolic link', async () => {
    await sh(`ln -s "$wharf" ${join(home, 'linked')}`)
    assert.match((await sh(`${join(home, 'linked')} --version`)).stdout, /^\d+\.\d+\.\d+\n$/)
  })

  await t.test('bash completes names of records', async () => {
    const script = `source <("$wharf" completion bash); COMP_WORDS=("$wharf" host show this); COMP_CWORD=3; _wharf; echo "\${COMPREPLY[*]}"`
    assert.deepEqual(await sh(script), { stdout: 'this-node\n', stderr: '' })
  })
})
