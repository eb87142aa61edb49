import type { Wharf } from '@wharf/sdk'
import { Refusal } from './refusals.ts'

/** The node that is meant when none is named: the only one that is alive. */
export async function onlyNode(wharf: Wharf): Promise<string> {
  const { inventories = [] } = await wharf.managementNodes.query({ q: ['status=Alive'], limit: 2 })
  const [{ uuid } = { uuid: undefined }] = inventories
  if (uuid === undefined) throw new Refusal('no management node is alive')
  if (inventories.length > 1) throw new Refusal('there are several management nodes', 'say which one: --node NAME')
  return uuid
}

/** The node that works on a host: its own where there is one, else any that is alive. */
export async function nodeForHost(wharf: Wharf, hostUuid: string): Promise<string> {
  const { managementNodeUuid } = await wharf.hosts.one(hostUuid)
  if (managementNodeUuid !== null) return managementNodeUuid
  const { inventories = [] } = await wharf.managementNodes.query({ q: ['status=Alive'], limit: 1 })
  const uuid = inventories[0]?.uuid
  if (uuid === undefined) throw new Refusal('no management node is alive')
  return uuid
}
