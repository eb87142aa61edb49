import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Wharf, WharfError } from '@wharf/sdk'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { requireSession, serverUrl, signOut } from './session.ts'

const Context = createContext<Wharf | undefined>(undefined)

/** Provides the SDK client and the query cache of a user. They outlive a session: its calls continue with the next one. */
export function WharfProvider({ userUuid, children }: { userUuid: string; children: ReactNode }) {
  const wharf = useMemo(
    () => new Wharf({ url: serverUrl, session: (ended) => requireSession(userUuid, ended) }),
    [userUuid],
  )
  // another user starts with an empty cache
  const queries = useMemo(() => newQueries(userUuid), [userUuid])
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

function newQueries(_userUuid: string): QueryClient {
  const onError = (error: unknown): void => {
    if (error instanceof WharfError && error.code === 'ID.1001') signOut({ isOver: true })
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // the SDK retries, and events report changes
    defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
  })
}
