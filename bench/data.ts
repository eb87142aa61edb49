import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** A node that does not exist, so that no server probes these hosts: nothing is ever sent to their addresses. */
const missingNode = '0'.repeat(32)

/** Hosts with realistic names, inserted into the table: the API would take an hour. */
export function fillHosts(file: string, to: number, from = 0): void {
  const database = new DatabaseSync(file)
  database.exec('begin')
  const insert = database.prepare(
    `insert into hosts (uuid, name, managementNodeUuid, driver, address, sshPort, username, hostKeyFingerprint, state, status, hostName,
       sn, manufacturer, product, system, architecture, totalCapacity, availableCapacity, createDate, lastOpDate)
     values (?, ?, '${missingNode}', 'local', ?, 22, 'root', 'SHA256:x', ?, 'Connected', ?, ?, 'Maker', 'Model', 'Linux 6', 'x64', 1000, 500, ?, ?)`,
  )
  const began = Date.UTC(2026, 0, 1)
  for (let index = from; index < to; index++) {
    const id = index.toString(16).padStart(8, '0')
    const uuid = `${id}${'0123456789abcdef01234567'}`
    const address = `127.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
    const state = index % 10 === 0 ? 'Disabled' : 'Enabled'
    insert.run(uuid, `host-${id}`, address, state, `host-${id}`, `SN${id}`, began + index * 1000, began + index * 1000)
  }
  database.exec('commit')
  database.close()
}

/** Packages on the host that a new server has, as far as lists show them. */
export function fillPackages(file: string, to: number, from = 0): void {
  const database = new DatabaseSync(file)
  const { uuid: hostUuid } = database.prepare('select uuid from hosts limit 1').get() as { uuid: string }
  database.exec('begin')
  const insert = database.prepare(
    `insert into softwarePackages (uuid, name, type, hostUuid, installPath, md5sum, status, size, createDate, lastOpDate)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const began = Date.UTC(2026, 0, 1)
  for (let index = from; index < to; index++) {
    const id = index.toString(16).padStart(8, '0')
    const uuid = `${id}${'0123456789abcdef01234567'}`
    const status = index % 10 === 0 ? 'Installed' : 'Uploaded'
    const at = began + index * 1000
    const path = `/var/tmp/packages/${id}.tar`
    insert.run(uuid, `package-${id}`, 'demo', hostUuid, path, uuid, status, 1_000_000 + index, at, at)
  }
  database.exec('commit')
  database.close()
}

interface SshHosts {
  readonly from: number
  readonly to: number
  readonly port: number
  /** As in known_hosts, without the name. */
  readonly hostKey: string
  addressOf(index: number): string
  /** Default: that of the user on the host. */
  readonly packagesPath?: string
}

/** Hosts that the key of the server signs in to, as if they had been added one by one. */
export function fillSshHosts(file: string, { from, to, port, hostKey, addressOf, packagesPath }: SshHosts): void {
  const database = new DatabaseSync(file)
  database.exec('begin')
  const insert = database.prepare(
    `insert into hosts (uuid, name, driver, address, sshPort, username, hostKey, packagesPath, isPackagesPathGiven, state, status,
       totalCapacity, availableCapacity, createDate, lastOpDate)
     values (?, ?, 'ssh', ?, ?, 'root', ?, ?, ?, 'Enabled', 'Connected', 0, 0, ?, ?)`,
  )
  const began = Date.UTC(2026, 0, 1)
  for (let index = from; index < to; index++) {
    const at = began + index * 1000
    // the first digits differ, as those of a real one do
    const uuid = createHash('md5').update(`host ${index}`).digest('hex')
    insert.run(
      uuid,
      `host-${index}`,
      addressOf(index),
      port,
      hostKey,
      packagesPath ?? null,
      Number(packagesPath !== undefined),
      at,
      at,
    )
  }
  database.exec('commit')
  database.close()
}
