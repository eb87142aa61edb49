import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { environmentOf, freshHome, runCaptured } from '../testing/captured-io.ts'
import { decodedText } from './upload.ts'

test('unfinished uploads', async (t) => {
  const server = await TestServer.start(t)
  const env = environmentOf(server.bootstrap)
  const home = freshHome(t)
  const wharf = (...argv: string[]) => runCaptured(argv, { env, home })
  /** Starts an upload and sends its first bytes. */
  const start = async (name: string, address: string, sent: string): Promise<string> => {
    const fields = [`name=${name}`, 'type=demo', `url=upload://${address}`, `installPath=${name}.tar.gz`]
    const { stdout, stderr } = await wharf('call', 'softwarePackages.uploadToBackupStorage', ...fields, '--json')
    assert.ok(stdout, stderr)
    const { inventory, systemTags } = JSON.parse(stdout)
    const url = systemTags[0].replace('uploadUrl::', '')
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    assert.equal((await fetch(url, { method: 'PATCH', headers, body: sent })).status, 204)
    return inventory.uuid
  }

  assert.equal((await wharf('upload', 'list')).stderr, 'No unfinished uploads.\n')
  const sized = await start('sized', 'hello%201.0.tar.gz?size=2048', 'x'.repeat(1024))
  const streamed = await start('streamed', 'hello.tar.gz', 'abc')

  await t.test('are listed with what the server received', async () => {
    const { stdout } = await wharf('upload', 'list')
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 5).join(' | '))
    assert.deepEqual(lines, [
      'NAME | FILE | HOST | RECEIVED BYTES | TOTAL BYTES',
      'streamed | hello.tar.gz | - | 3 B | -',
      'sized | hello 1.0.tar.gz | - | 1.0 KiB | 2.0 KiB',
      '',
    ])
    const [, record] = JSON.parse((await wharf('upload', 'list', '--json')).stdout)
    assert.deepEqual([record.uuid, record.receivedBytes, record.totalBytes], [sized, 1024, 2048])
  })

  await t.test('of other users have no known progress', async () => {
    const key = ['key', 'create', '--user', 'reader', '--json']
    const created = await runCaptured(['user', 'create', 'reader', '--password-stdin'], {
      env,
      home,
      input: 'password of reader',
    })
    assert.equal(created.code, 0, created.stderr)
    const { AccessKeyID: accessKeyId, AccessKeySecret: accessKeySecret } = JSON.parse((await wharf(...key)).stdout)
    const asReader = environmentOf({ url: server.url, accessKeyId, accessKeySecret })
    const { stdout } = await runCaptured(['upload', 'list', '--json'], { env: asReader, home })
    assert.deepEqual(
      JSON.parse(stdout).map(({ uuid, receivedBytes }: Record<string, unknown>) => [uuid, receivedBytes]),
      [
        [streamed, null],
        [sized, null],
      ],
    )
  })

  await t.test('are deleted by name', async () => {
    const { code, stderr } = await wharf('upload', 'delete', 'sized', 'absent', '--quiet')
    assert.equal(code, 1)
    assert.match(stderr, /no unfinished upload named absent\n {2}list the uploads with wharf upload list/)
    assert.equal((await wharf('upload', 'list', '-o', 'name')).stdout, 'streamed\n')
    assert.equal((await wharf('package', 'list', '-o', 'name')).stdout, 'streamed\n')
  })
})

test('the name of an unfinished upload may contain a percent sign', () => {
  assert.equal(decodedText('a%20b.tar'), 'a b.tar')
  assert.equal(decodedText('100%.tar'), '100%.tar')
})
