import { externalAddress } from '@wharf/platform/server-address.ts'

interface Settings {
  readonly nodeUrl?: string | undefined
  readonly host: string
  readonly basePath: string
}

/** The address of this node for the other nodes: the operator's setting, or where it listens. */
export function nodeAddress({ nodeUrl, host, basePath }: Settings, listensAt: string): string {
  if (nodeUrl !== undefined) return nodeUrl + basePath
  if (host !== '0.0.0.0' && host !== '::') return listensAt
  const url = new URL(listensAt)
  const address = externalAddress()
  url.hostname = address.includes(':') ? `[${address}]` : address
  return url.href.replace(/\/$/, '')
}
