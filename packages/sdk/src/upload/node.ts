import { UploadError } from '../error.ts'
import type { UploadClient } from './client.ts'

/** The node that brings a package to this host: its own when the host is one, else whichever is there. */
export async function nodeFor(wharf: UploadClient, hostUuid: string, signal: AbortSignal | undefined): Promise<string> {
  const { managementNodeUuid } = await wharf.hosts.one(hostUuid, { signal })
  if (managementNodeUuid !== null) return managementNodeUuid
  for await (const { uuid } of wharf.managementNodes.all({ q: ['status=Alive'] }, { signal })) return uuid
  throw new UploadError('there is no management node that could bring the package to the host')
}
