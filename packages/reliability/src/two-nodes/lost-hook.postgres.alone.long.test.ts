import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { hostsNeedRoot, installable, reverseCleanup, type TestHost, testEngine } from '@wharf/testkit'
import { uuidOf } from './package-work.ts'
import { TwoNodeSetup } from './two-node-setup.ts'

/**
 * What the host records of the hooks of a package. The kernel releases the lock with the last process that holds it:
 * a hook that does not get it overlaps with another one. The first hook outlasts every timeout.
 */
const recordingHook = (folder: string): string => `
mkdir -p ${folder}
exec 9>${folder}/lock
flock -n 9 || echo "$WHARF_JOB_UUID" >>${folder}/overlaps
echo "$WHARF_JOB_UUID begins" >>${folder}/trace
if mkdir ${folder}/first 2>/dev/null; then trap '' TERM; sleep 121; sleep 121; else sleep 12; fi
echo "$WHARF_JOB_UUID ends" >>${folder}/trace`

/** When the first node starts to lose packets, and further faults on the host. */
const rows: Record<string, { losesBefore: boolean; trouble?: (host: TestHost) => Promise<unknown> }> = {
  'while its hook runs': { losesBefore: false },
  'while its hook runs, and the host does not end it automatically': {
    losesBefore: false,
    trouble: (host) =>
      host.exec(
        `for pid in $(ps -e -o pid= -o args= | awk '$2 == "sh" && /umask 02[2]/ { print $1 }'); do kill -s STOP $pid; done`,
      ),
  },
  'before its hook starts': { losesBefore: true },
}

if (testEngine === 'postgres')
  describe('a node loses every packet to the host, and the next install runs at the other node', {
    skip: hostsNeedRoot,
  }, () => {
    let setup: TwoNodeSetup
    let hostUuid: string
    const cleanup = reverseCleanup({ after })
    before(async () => {
      setup = await TwoNodeSetup.start(cleanup)
      const { hostname: name, address, port: sshPort, username, privateKey } = setup.host
      const params = { name, driver: 'ssh', address, sshPort, username, privateKey }
      hostUuid = await uuidOf(setup.nodes[0].client, '/v1/hosts', params)
    })

    for (const [at, [when, { losesBefore, trouble }]] of Object.entries(rows).entries())
      test(`${when}: no two hooks run concurrently, and the second succeeds`, async () => {
        const { host, nodes, packages } = setup
        const [first, second] = nodes
        const folder = `/srv/lost-${at}`
        const recorded = async (name: string): Promise<string[]> =>
          (await host.exec(`cat ${folder}/${name} 2>/dev/null || true`)).split('\n').slice(0, -1)
        await reconnectNodes()
        const uuid = await upload(`lost-${at}`, folder)
        const restoring: (() => Promise<void>)[] = []
        const losePackets = async (): Promise<void> => {
          restoring.push(await first.machine.blackholeTo(host))
        }
        try {
          if (losesBefore) {
            await host.exec(`mkdir -p ${folder}/first`)
            await losePackets()
          }
          const lost = await install(first.client, uuid)
          if (!losesBefore) {
            await waitUntil('the hook starts', 20_000, async () => (await recorded('trace')).length === 1)
            await losePackets()
          }
          await trouble?.(host)
          let next = ''
          await waitUntil('the next install is accepted', 90_000, async () => {
            await second.client.put(`/v1/hosts/${hostUuid}/actions`, { reconnectHost: {} })
            next = await install(second.client, uuid).catch(() => '')
            return next !== ''
          })
          await waitUntil('the second hook starts', 30_000, async () =>
            (await recorded('trace')).includes(`${next} begins`),
          )
          // the delayed packets of the first node arrive now
          for (const restore of restoring.splice(0)) await restore()
          await waitUntil('the second job ends', 60_000, async () => (await stateOf(next)) !== 'Running')
          assert.equal(await stateOf(next), 'Succeeded')
          assert.equal(await stateOf(lost), 'Failed')
          await delay(losesBefore ? 20_000 : 0)
          assert.deepEqual(await recorded('overlaps'), [])
          const expected = [`${lost} begins`, `${next} begins`, `${next} ends`]
          assert.deepEqual(await recorded('trace'), losesBefore ? expected.slice(1) : expected)
          assert.doesNotMatch(await host.exec('ps -e -o args='), /sleep 121/)
        } finally {
          for (const restore of restoring) await restore()
        }

        async function upload(file: string, at: string): Promise<string> {
          writeFileSync(join(packages, file), installable({ hooks: { install: recordingHook(at) } }))
          const [managementNodeUuid] = setup.nodeUuids
          const target = {
            hostUuid,
            managementNodeUuid,
            installPath: `/srv/${file}.tar`,
            url: `file://${packages}/${file}`,
          }
          return uuidOf(first.client, '/v1/software-packages/upload', { name: file, type: 'demo', ...target })
        }
      })

    async function reconnectNodes(): Promise<void> {
      for (const { client } of setup.nodes)
        await waitUntil('both nodes reach the host', 60_000, async () => {
          const { status } = await client.put(`/v1/hosts/${hostUuid}/actions`, { reconnectHost: {} })
          return status === 200
        })
    }

    async function stateOf(job: string): Promise<string | undefined> {
      const [row] = await setup.query<{ state: string }>('select "state" from "jobs" where "uuid" = $1', [job])
      return row?.state
    }
  })

async function install(client: TwoNodeSetup['nodes'][0]['client'], uuid: string): Promise<string> {
  const path = `/v1/software-package/install/${uuid}/actions`
  const { status, text, body } = await client.put(path, { installSoftwarePackage: {} }, { prefer: 'respond-async' })
  if (status !== 202) throw new Error(text)
  return /api-jobs\/([0-9a-f]+)/.exec(String(body.location))?.[1] ?? ''
}

async function waitUntil(what: string, withinMs: number, isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await isTrue()); await delay(200))
    assert.ok(performance.now() < deadline, `timed out: ${what}`)
}
