import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followEvents } from './follow-events.ts'
import { signOut } from './session.ts'
import { useWharf } from './wharf-context.tsx'

/** Refetches the queries that an event makes stale. Returns whether the event stream is connected. */
export function useChangeEvents(): { isConnected: boolean } {
  const wharf = useWharf()
  const queries = useQueryClient()
  const [isConnected, setConnected] = useState(true)
  useEffect(() => {
    const end = new AbortController()
    void followEvents({ wharf, queries, signal: end.signal, onConnection: setConnected, onSessionEnd: signOut })
    return () => end.abort()
  }, [wharf, queries])
  return { isConnected }
}
