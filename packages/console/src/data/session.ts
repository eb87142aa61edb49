import { Wharf } from '@wharf/sdk'
import { useSyncExternalStore } from 'react'

/** Who is signed in, in every tab of this browser and until the session ends. */
export interface Session {
  readonly uuid: string
  readonly userUuid: string
  readonly userName: string
}

/** The console lies beside the API, whatever prefix a proxy has put before both. */
export const serverUrl = new URL('.', location.href).href

const key = 'wharf.session'

function read(): Session | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as Session
  } catch {
    return undefined
  }
}

let current = read()
/** By the server: it was too old, or somebody has ended it elsewhere. */
let hasEnded = false
const listeners = new Set<() => void>()

function set(session: Session | undefined, isOver = false): void {
  current = session
  hasEnded = isOver
  for (const listener of listeners) listener()
}

// another tab has signed in or out
addEventListener('storage', (event) => {
  if (event.key === key || event.key === null) set(read())
})

export async function signIn(accountName: string, password: string, userName?: string): Promise<void> {
  const { sessions } = new Wharf({ url: serverUrl })
  const { inventory } =
    userName === undefined
      ? await sessions.logInByAccount({ accountName, password })
      : await sessions.logInByUser({ accountName, userName, password })
  const session = { uuid: inventory.uuid, userUuid: inventory.userUuid, userName: userName ?? accountName }
  localStorage.setItem(key, JSON.stringify(session))
  set(session)
}

/** Forgets the session here; the server is told unless it has ended it itself. */
export function signOut({ isOver = false } = {}): void {
  const session = current
  localStorage.removeItem(key)
  set(undefined, isOver)
  if (session && !isOver) {
    const { sessions } = new Wharf({ url: serverUrl, session: session.uuid })
    // whoever leaves does not wait for it; it ends by itself as well
    sessions.logOut(session.uuid).catch(() => {})
  }
}

function listen(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export const useSession = (): Session | undefined => useSyncExternalStore(listen, () => current)

/** Whether whoever has to sign in was signed in before, and did not leave by themselves. */
export const useHasEnded = (): boolean => useSyncExternalStore(listen, () => hasEnded)
