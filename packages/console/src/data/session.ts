import { Wharf } from '@wharf/sdk'
import { useSyncExternalStore } from 'react'

/** The session, shared by all tabs of this browser. */
export interface Session {
  readonly uuid: string
  readonly userUuid: string
  readonly userName: string
}

/** The API has the same prefix as the console, whatever a proxy puts before both. */
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
/** The server ended the session: it expired, or was ended elsewhere. */
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

/** Removes the session, and logs out on the server unless the server ended it. */
export function signOut({ isOver = false } = {}): void {
  const session = current
  localStorage.removeItem(key)
  set(undefined, isOver)
  if (session && !isOver) {
    const { sessions } = new Wharf({ url: serverUrl, session: session.uuid })
    // not awaited: the session also expires on the server
    sessions.logOut(session.uuid).catch(() => {})
  }
}

function listen(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export const useSession = (): Session | undefined => useSyncExternalStore(listen, () => current)

/** True after the server ended the session. */
export const useHasEnded = (): boolean => useSyncExternalStore(listen, () => hasEnded)
