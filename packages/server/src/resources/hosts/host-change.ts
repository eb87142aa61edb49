import { type FieldsOf, hostConnectionFields, type updateHost } from '@wharf/contract'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { updatedField } from '@wharf/platform/updated-field.ts'
import { checkedFingerprint } from '@wharf/ssh/host-key.ts'
import { readPrivateKey } from '@wharf/ssh/private-key.ts'
import { checkAddress, checkedTarget } from '@wharf/ssh/target.ts'
import type { Caller } from '../../calls/caller.ts'
import { refuseForScope, requireOwnKey } from '../../calls/own-credentials.ts'
import { changedLabels, labelsOf, labelText } from './host-labels.ts'
import type { HostRow } from './store.ts'

export type HostChange = FieldsOf<typeof updateHost>

/** Another connection to a host; what is absent stays. */
export interface ConnectionChange {
  readonly address?: string | undefined
  readonly sshPort?: number | undefined
  readonly username?: string | undefined
  /** Null: the server signs in with its own key. */
  readonly privateKey?: string | null | undefined
  readonly hostKeyFingerprint?: string | undefined
}

/** The columns that change without a test of the connection. Refuses a change that contradicts itself. */
export function untestedColumns(host: HostRow, change: HostChange): Partial<HostRow> {
  const { name, address, labels, removeLabels } = change
  const description = updatedField(change.clear, 'description', change.description)
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(address !== undefined && host.driver === 'local' ? { address } : {}),
    ...(labels || removeLabels ? { labels: labelText(changedLabels(labelsOf(host), change)) } : {}),
  }
}

/** What of the change must be tested on the host; undefined when nothing is. Refuses invalid fields. */
export async function connectionChangeOf(host: HostRow, change: HostChange): Promise<ConnectionChange | undefined> {
  const privateKey = updatedField(change.clear, 'privateKey', change.privateKey)
  const given: ConnectionChange = { ...change, privateKey }
  if (host.driver === 'local') {
    if (change.address !== undefined) checkAddress(change.address)
    const field = hostConnectionFields.find((name) => name !== 'address' && given[name] !== undefined)
    if (field) throw invalid(`${field}: host ${host.name} has the driver local, which does not use SSH; omit the field`)
    return undefined
  }
  const { address = host.address, sshPort = host.sshPort ?? 22, username = host.username ?? 'root' } = given
  checkedTarget({ address, port: sshPort, username })
  const fingerprint = given.hostKeyFingerprint && checkedFingerprint(given.hostKeyFingerprint)
  const changed: ConnectionChange = {
    ...(address === host.address ? {} : { address }),
    ...(sshPort === host.sshPort ? {} : { sshPort }),
    ...(username === host.username ? {} : { username }),
    ...(fingerprint && fingerprint !== host.hostKeyFingerprint ? { hostKeyFingerprint: fingerprint } : {}),
    // in the format of ssh; a form may have changed it
    ...(privateKey ? { privateKey: (await readPrivateKey(privateKey)).privateKey.reveal() } : {}),
    ...(privateKey === null && host.sealedPrivateKey !== null ? { privateKey } : {}),
  }
  if (Object.keys(changed).length === 0) return undefined
  // with another address the caller expects this key, even if it is the pinned one
  return fingerprint ? { ...changed, hostKeyFingerprint: fingerprint } : changed
}

/** The key of the server, or one that another caller has sent, would sign in wherever the caller chooses. */
export function requireOwnKeyElsewhere(connection: ConnectionChange, caller: Pick<Caller, 'scope'>): void {
  const { address, sshPort, username, privateKey } = connection
  const isElsewhere = address !== undefined || sshPort !== undefined || username !== undefined
  if (isElsewhere || privateKey === null) requireOwnKey(caller, privateKey ?? undefined)
}

/** It is stored without a test, and the records of an address, such as clusters, belong to the hosts that have it. */
export function refuseUntestedAddress(host: HostRow, { address }: HostChange, caller: Pick<Caller, 'scope'>): void {
  if (host.driver === 'local' && address !== undefined && address !== host.address)
    refuseForScope(
      caller,
      `host ${host.name} has the driver local, so that its new address would not be tested`,
      'omit the address',
    )
}

/** The server signs in with its own key at any address that it is given, so this takes the rights of adding a host. */
export function requireConnectionRights({ name, address }: HostRow, { role }: Pick<Caller, 'role'>): void {
  if (role !== 'admin')
    throw new ApiError(
      'ID.1002',
      `changing how host ${name} (${address}) is reached (${hostConnectionFields.join(', ')}) requires the role admin; its name, description and labels can be changed without it`,
    )
}
