import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { WharfError } from '@wharf/sdk'
import { useEffect, useState } from 'react'
import { refetchAll, refetchChanged } from './refetch.ts'
import { signOut } from './session.ts'
import { useWharf } from './wharf-context.tsx'

/** What an event calls a record, and the resource of the contract whose answers it changes. */
const resources: Readonly<Record<string, readonly string[]>> = {
  SoftwarePackage: ['software-packages', 'migration'],
  Host: ['hosts', 'candidate-hosts'],
  BackupStorage: ['backup-storage'],
  ClusterPlugin: ['cluster-plugins'],
  ThirdPartyPlatform: ['alerts', 'cluster-plugins'],
  ThirdPartyAlert: ['alerts'],
  ChatAppEndpoint: ['chat-endpoints'],
  ChatAppAtPerson: ['chat-endpoints'],
  Delivery: ['chat-endpoints'],
  ApiJob: ['jobs'],
  ManagementNode: ['management-nodes'],
  Account: ['identity'],
  User: ['identity'],
  AccessKey: ['identity'],
  Tag: ['tags'],
  GatewayVmInstance: ['migration'],
  MigrateImage: ['migration'],
}

/** Many changes at once are one look. */
const batchMs = 250

/** Asks anew for what an event says has changed. Returns whether the server is heard at all. */
export function useChangeEvents(): { isConnected: boolean } {
  const wharf = useWharf()
  const queries = useQueryClient()
  const [isConnected, setConnected] = useState(true)
  useEffect(() => {
    const end = new AbortController()
    void follow(wharf, queries, end.signal, setConnected)
    return () => end.abort()
  }, [wharf, queries])
  return { isConnected }
}

async function follow(
  wharf: ReturnType<typeof useWharf>,
  queries: QueryClient,
  signal: AbortSignal,
  setConnected: (isOpen: boolean) => void,
): Promise<void> {
  const changed = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (): void => {
    timer = undefined
    for (const resource of changed) refetchChanged(queries, { queryKey: [resource] })
    changed.clear()
  }
  let wasAway = false
  const onConnection = (isOpen: boolean): void => {
    setConnected(isOpen)
    // what changed before it stood is not told, and what was missed in between may be more than the server remembers
    if (isOpen && wasAway) void refetchAll(queries)
    else if (isOpen) refetchChanged(queries)
    wasAway = !isOpen
  }
  try {
    for await (const { resourceType } of wharf.events({ signal, onConnection })) {
      for (const resource of resources[resourceType] ?? []) changed.add(resource)
      timer ??= setTimeout(look, batchMs)
    }
  } catch (error) {
    if (signal.aborted) return
    // a page that nobody touches asks for nothing else: here it hears first that its session has ended
    if (error instanceof WharfError && error.status === 401) signOut({ isOver: true })
    else console.error(error)
  } finally {
    clearTimeout(timer)
  }
}
