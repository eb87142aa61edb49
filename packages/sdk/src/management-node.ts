import { UploadError } from './error.ts'
import type { Groups } from './generated-types.ts'

/** The node that transfers packages to this host: the host's own node, else any that is alive. */
export async function managementNodeForHost(
  { hosts, managementNodes }: Pick<Groups, 'hosts' | 'managementNodes'>,
  hostUuid: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const { managementNodeUuid } = await hosts.one(hostUuid, options)
  if (managementNodeUuid !== null) return managementNodeUuid
  const { inventories = [] } = await managementNodes.query({ q: ['status=Alive'], limit: 1 }, options)
  const uuid = inventories[0]?.uuid
  if (uuid === undefined) throw new UploadError('no management node is alive; start one')
  return uuid
}
