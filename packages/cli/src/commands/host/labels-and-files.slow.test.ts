import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startHosts, TestServer } from '@wharf/testkit'
import { environmentOf, freshHome, runCaptured } from '../../testing/captured-io.ts'

const server = await TestServer.start({ after })
const env = environmentOf(server.bootstrap)

interface Host {
  name: string
  description: string | null
  labels: Record<string, string>
}

const hosts = async (): Promise<Host[]> =>
  (await server.admin.get('/v1/hosts?sort=name&q=driver=ssh')).body.inventories as Host[]

test('labels, name and tags of a host are changed and listed', async (t) => {
  const home = freshHome(t)
  const run = (...words: string[]) => runCaptured(words, { env, home })
  const labelled = await run('host', 'label', 'this-node', 'zone=a', 'role=web', 'empty=', 'old-')
  assert.equal(labelled.code, 0, labelled.stderr)
  assert.match(labelled.stderr, /Labels of this-node: empty=, role=web, zone=a/)
  const changed = await run('host', 'label', 'this-node', 'role-', 'empty-', '--list', '--json')
  assert.deepEqual(JSON.parse(changed.stdout), [{ name: 'zone', value: 'a' }])
  assert.match((await run('host', 'list', '--query', 'labels.zone=a', '-o', 'wide')).stdout, /zone=a/)
  for (const word of ['zone', '=a', '-'])
    assert.match((await run('host', 'label', 'this-node', word)).stderr, /name=value|unknown option/)

  assert.match(
    (await run('host', 'update', 'this-node', '--description', 'mine')).stdout,
    new RegExp(`^managementNode +${hostname()}$`, 'm'),
  )
  const updated = await run('host', 'update', 'this-node', '--description', 'ours', '--json')
  assert.equal(JSON.parse(updated.stdout).description, 'ours')
  assert.equal(
    JSON.parse((await run('host', 'edit', 'this-node', '--description', '', '--json')).stdout).description,
    null,
  )
  assert.equal((await run('host', 'update', 'this-node')).code, 2)

  assert.equal((await run('tag', 'attach', 'host', 'this-node', 'blue')).code, 0)
  assert.match((await run('host', 'list', '--query', '__userTag__=blue')).stdout, /this-node/)
  assert.equal((await run('tag', 'detach', 'host', 'this-node', 'blue')).code, 0)
  assert.match(
    (await run('tag', 'detach', 'host', 'this-node', 'blue')).stderr,
    /does not have the tag blue; its tags: none/,
  )
  assert.equal((await run('storage', 'update', 'local-folder', '--name', 'archive')).code, 0)
  assert.match((await run('storage', 'list')).stdout, /archive/)
})

test('the hosts of a file are added, each with its result', async (t) => {
  const [machine] = await startHosts(t, 1)
  assert.ok(machine)
  const home = freshHome(t)
  const { address, port, username, privateKey } = machine
  const [identity, file] = [join(home, 'key'), join(home, 'hosts.csv')]
  writeFileSync(identity, privateKey)
  const add = (text: string) => {
    writeFileSync(file, text)
    return runCaptured(['host', 'add', '--file', file, '--user', username, '--identity', identity], { env, home })
  }
  const bad = await add(`name,address,port\nweb-1,${address},${port}\nweb-2,,x\n`)
  assert.equal(bad.code, 2)
  assert.match(
    bad.stderr,
    /nothing was added:\n.*line 3, column address: is empty\nline 3, column port: "x" is not a port/s,
  )
  assert.deepEqual(await hosts(), [])

  const added = await add(
    `name,address,port,labels,label.rack\nweb-1,${address},${port},zone=a;role=web,7\nweb-2,${address},1,,\n`,
  )
  assert.equal(added.code, 1)
  assert.match(added.stdout, /web-1 .* added/)
  assert.match(added.stdout, /web-2 .* failed .*HOST\.1000/)
  assert.match(added.stderr, /1 of 2 hosts were not added: web-2/)
  assert.deepEqual(
    (await hosts()).map(({ name, labels }) => ({ name, labels })),
    [{ name: 'web-1', labels: { rack: '7', role: 'web', zone: 'a' } }],
  )
})
