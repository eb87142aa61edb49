import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Wharf, WharfError } from '@wharf/sdk'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { type Session, serverUrl, signOut } from './session.ts'

const Context = createContext<Wharf | undefined>(undefined)

/** The way to the server, for everything inside. */
export function WharfProvider({ session, children }: { session: Session; children: ReactNode }) {
  const wharf = useMemo(() => new Wharf({ url: serverUrl, session: session.uuid }), [session.uuid])
  // another user sees nothing of what this one was told
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
    // the SDK has tried often enough, and changes are told by the server
    defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
  })
}
