import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, startHosts, type TestHost } from '@wharf/testkit'
import { createServerProcess, temporaryFolder } from './bench-server.ts'
import { rateOf, writeBigTar } from './big-file.ts'
import { compare, type Figure } from './measure.ts'
import { copyWithScp, scpCopy } from './peers/scp.ts'
import { RolloutCalls } from './rollout-calls.ts'

const MiB = 1024 * 1024
const hostCount = 8
const bytes = Number(process.env.RELEASE_MIB ?? 1024) * MiB
/** The poll interval, which is the error of the measurement. */
const pollMs = 20
/** Steps of the job of a host before its bytes have arrived. */
const earlySteps = ['check', 'transfer']

/**
 * A release to eight SSH hosts, until the last one has its bytes, against eight scp of the same file at the same time.
 * RELEASE_MIB=128 makes it smaller.
 */
export async function rolloutTransfer(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = temporaryFolder(cleanup)
  const machines = await startHosts({ after: (work) => cleanup.defer(work) }, hostCount)
  const data = join(folder, 'data')
  const sources = join(folder, 'sources')
  mkdirSync(sources)
  const server = createServerProcess(cleanup, data, { WHARF_FILE_ROOTS: sources })
  await server.start()
  const hostUuids = await Promise.all(machines.map((machine, index) => addHost(server, machine, index)))
  const tar = join(sources, 'release.tar')
  const manifest = { name: 'bench', version: '1.0.0', type: 'demo', install: { run: ['./install.sh'] } }
  const small = { 'wharf.json': JSON.stringify(manifest), 'install.sh': '#!/bin/sh\ncat >installed\n' }
  await writeBigTar(tar, { bytes, small })
  const { size } = statSync(tar)
  const rollouts = new RolloutCalls(server)
  const release = await rollouts.publish(`file://${tar}`)
  const stored = await storedFile(server, release.softwarePackageUuid)
  const cached = join(data, 'release-cache', release.sha256)

  const rollOut = async (): Promise<number> => {
    let uuid = ''
    const rate = await rateOf(async () => {
      const waves = { waves: ['100%'], maxParallel: hostCount }
      uuid = (await rollouts.create({ releaseUuid: release.uuid, hostUuids, ...waves })).uuid
      await untilSent(server, rollouts, uuid, () => hideStored(stored, cached))
    }, size * hostCount)
    await rollouts.waitForEnd(uuid, 'Succeeded')
    renameSync(hidden(stored), stored)
    await rollouts.act(uuid, 'rollBack', { scope: 'all' })
    await rollouts.waitForEnd(uuid, 'RolledBack')
    await rollouts.remove(uuid)
    // the next round reads it from storage again
    rmSync(cached)
    return rate
  }
  const copyAll = async (): Promise<number> => {
    const copies = () => Promise.all(machines.map((machine) => copyWithScp(machine, tar)))
    const rate = await rateOf(copies, size * hostCount)
    await Promise.all(machines.map((machine) => machine.exec(`rm -f ${scpCopy}`)))
    return rate
  }
  const name = `a release of ${bytes / MiB} MiB to ${hostCount} SSH hosts, which is read from storage once`
  const peer = `${hostCount} scp at the same time`
  return [await compare({ name, unit: 'MiB/s', peer, aim: 0.9 }, rounds, rollOut, copyAll)]
}

async function addHost(server: ServerProcess, machine: TestHost, index: number): Promise<string> {
  const { address, port: sshPort, username, privateKey } = machine
  const access = { driver: 'ssh', address, sshPort, username, privateKey }
  const params = { name: `host-${index + 1}`, ...access, packagesPath: '/tmp/wharf-bench' }
  const { body, text } = await server.admin.post('/v1/hosts', { params })
  if (!body.success) throw new Error(text)
  return (body.inventory as { uuid: string }).uuid
}

async function storedFile(server: ServerProcess, packageUuid: string): Promise<string> {
  const { body } = await server.admin.get(`/v1/software-package/${packageUuid}`)
  const [{ installPath, backupStorageUuid }] = body.inventories as [{ installPath: string; backupStorageUuid: string }]
  const storage = await server.admin.get(`/v1/backup-storage/${backupStorageUuid}`)
  const [{ url }] = storage.body.inventories as [{ url: string }]
  return join(fileURLToPath(url), installPath)
}

const hidden = (stored: string): string => `${stored}.hidden`

/** A node that reads the release from storage a second time fails: the file is gone as soon as the node has its own. */
function hideStored(stored: string, cached: string): void {
  if (existsSync(cached) && existsSync(stored)) renameSync(stored, hidden(stored))
}

/** Resolves when the bytes have arrived on every host; what follows, such as unpacking, has no counterpart in scp. */
async function untilSent(server: ServerProcess, rollouts: RolloutCalls, uuid: string, poll: () => void): Promise<void> {
  for (;;) {
    poll()
    const targets = await rollouts.targets(uuid)
    const failed = targets.find(({ state }) => state === 'Failed')
    if (failed) throw new Error(`a host failed: ${JSON.stringify(failed)}`)
    const sent = await Promise.all(targets.map(({ jobUuid }) => isSent(server, jobUuid)))
    if (sent.every(Boolean)) return
    await delay(pollMs)
  }
}

async function isSent(server: ServerProcess, jobUuid: string | null): Promise<boolean> {
  if (jobUuid === null) return false
  const { currentStep } = (await server.admin.get(`/v1/api-jobs/${jobUuid}`)).body
  // a job that has ended has none
  return currentStep === undefined || (currentStep !== null && !earlySteps.includes(String(currentStep)))
}
