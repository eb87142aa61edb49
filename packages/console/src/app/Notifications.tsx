import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refetchOnEvents } from '../data/refetch/refetch-on-events.ts'
import { signOut, useEndedSession } from '../data/session.ts'
import { useWharf } from '../data/wharf-context.tsx'
import { RunningJobs } from '../features/notifications/RunningJobs.tsx'
import { useFlashes } from '../features/notifications/use-flashes.tsx'
import { useUploadFlashes } from '../features/uploads/use-upload-flashes.tsx'
import { useUploadSession } from '../features/uploads/use-uploads.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { keepFirstError } from './keep-first-error.ts'
import { messages } from './messages.ts'

/** Ended jobs, rollouts, uploads, one line about the running jobs, and whether the event stream is connected. */
export function Notifications() {
  const t = useMessages(messages)
  const isConnected = useChangeEvents()
  useUploadSession()
  const uploadFlashes = useUploadFlashes()
  const flashes = useFlashes()
  const away: FlashbarProps.MessageDefinition[] = isConnected
    ? []
    : [{ id: 'away', type: 'warning', loading: true, content: t.disconnected }]
  return (
    <>
      <Flashbar items={keepFirstError([...away, ...uploadFlashes, ...flashes])} stackItems={false} />
      {isConnected ? <RunningJobs /> : null}
    </>
  )
}

/** Refetches the queries that an event makes stale. Returns whether the event stream is connected. */
function useChangeEvents(): boolean {
  const wharf = useWharf()
  const queries = useQueryClient()
  const [isConnected, setConnected] = useState(true)
  useEffect(() => {
    const end = new AbortController()
    void refetchOnEvents({ wharf, queries, signal: end.signal, onConnection: setConnected, onSessionEnd: signOut })
    return () => end.abort()
  }, [wharf, queries])
  // without a session the stream is closed although the server responds
  return useEndedSession() !== undefined || isConnected
}
