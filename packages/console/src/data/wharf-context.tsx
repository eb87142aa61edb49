import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Wharf, WharfError } from '@wharf/sdk'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { type Session, serverUrl, signOut } from './session.ts'

const Context = createContext<Wharf | undefined>(undefined)

/** Provides the SDK client and the query cache of a session. */
export function WharfProvider({ session, children }: { session: Session; children: ReactNode }) {
  const wharf = useMemo(() => new Wharf({ url: serverUrl, session: session.uuid }), [session.uuid])
  // a new session starts with an empty cache
  const queries = useMemo(() => newQueries(session.uuid), [session.uuid])
  return (
    <Context value={wharf}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </Context>
  )
}

export function useWharf(): Wharf {
  const wharf = useContext(Context)
  if (wharf === undefined) throw new Error('there is no server outside WharfProvider')
  return wharf
}

function newQueries(_session: string): QueryClient {
  const onError = (error: unknown): void => {
    if (error instanceof WharfError && error.status === 401) signOut({ isOver: true })
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // the SDK retries, and events report changes
    defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
  })
}
