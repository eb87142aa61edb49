import { Wharf } from '@wharf/sdk'
import { useSyncExternalStore } from 'react'
import { readStoredJson, writeStoredJson } from '../browser/stored-json.ts'
import { removeUserData } from '../browser/user-data.ts'

/** The names of a sign-in; without a user name it is the account's own user. */
interface Login {
  readonly accountName: string
  readonly userName?: string | undefined
}

/** The session, shared by all tabs of this browser. */
export interface Session {
  readonly uuid: string
  readonly userUuid: string
  readonly userName: string
  /** With which the user signs in again; missing in sessions of identity providers. */
  readonly login?: Login
}

/** The API has the same prefix as the console, whatever a proxy puts before both. */
export const serverUrl = new URL('.', location.href).href

const key = 'wharf.session'

const read = (): Session | undefined => (readStoredJson(key) ?? undefined) as Session | undefined

/** Calls that wait until the user has signed in again. */
interface Renewal {
  readonly session: Session
  readonly promise: Promise<string>
  readonly resolve: (uuid: string) => void
  readonly reject: (error: Error) => void
}

let current = read()
let renewal: Renewal | undefined
/** The server ended the session: it expired, or was ended elsewhere. */
let hasEnded = false
/** The password of the sign-in form, until the user has changed it or postponed that. */
let entered: { readonly password: string; readonly hasEnrolled: boolean } | undefined
const listeners = new Set<() => void>()

function set(session: Session | undefined, isOver = false): void {
  current = session
  hasEnded = isOver
  entered = undefined
  if (session !== undefined) removeUserData({ except: session.userUuid })
  const ended = renewal
  renewal = undefined
  if (session !== undefined && session.userUuid === ended?.session.userUuid) ended.resolve(session.uuid)
  else ended?.reject(new Error('the session has ended'))
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

// another tab has signed in or out
addEventListener('storage', (event) => {
  if (event.key === key || event.key === null) set(read())
})

/** The session of this user. If it is the one that has ended, waits until the user has signed in again. */
export async function requireSession(userUuid: string, ended?: string): Promise<string> {
  if (current?.userUuid !== userUuid) throw new Error('the session has ended')
  if (current.uuid !== ended) return current.uuid
  if (current.login === undefined) {
    signOut({ isOver: true })
    throw new Error('the session has ended')
  }
  if (renewal === undefined) {
    let [resolve, reject]: [Renewal['resolve'], Renewal['reject']] = [() => {}, () => {}]
    const promise = new Promise<string>((...settle) => {
      ;[resolve, reject] = settle
    })
    renewal = { session: current, promise, resolve, reject }
    notify()
  }
  return renewal.promise
}

/** What the sign-in form sends; `hasEnrolled`: the second factor is new, and has no recovery codes yet. */
interface SignIn extends Login {
  readonly password: string
  readonly secondFactor?: string | undefined
  readonly hasEnrolled?: boolean
}

export async function signIn({ password, secondFactor, hasEnrolled = false, ...login }: SignIn): Promise<void> {
  await logIn(login, password, secondFactor)
  entered = { password, hasEnrolled }
  notify()
}

export function forgetEnteredPassword(): void {
  entered = undefined
  notify()
}

/** Signs in with the names of the session that has ended; the calls that wait are then repeated. */
export async function signInAgain(password: string, secondFactor?: string): Promise<void> {
  if (renewal?.session.login) await logIn(renewal.session.login, password, secondFactor)
}

async function logIn(login: Login, password: string, secondFactor: string | undefined): Promise<void> {
  const { accountName, userName } = login
  const { sessions } = new Wharf({ url: serverUrl })
  const { inventory } =
    userName === undefined
      ? await sessions.logInByAccount({ accountName, password, secondFactor })
      : await sessions.logInByUser({ accountName, userName, password, secondFactor })
  const session = { uuid: inventory.uuid, userUuid: inventory.userUuid, userName: userName ?? accountName, login }
  writeStoredJson(key, session)
  set(session)
}

/** Of an identity provider, which knows the name of the user. It cannot be renewed with a password. */
export async function startSession({ uuid, userUuid }: { uuid: string; userUuid: string }): Promise<void> {
  const { inventory } = await new Wharf({ url: serverUrl, session: uuid }).identity.caller()
  const session = { uuid, userUuid, userName: inventory.userName }
  writeStoredJson(key, session)
  set(session)
}

/** Removes the session, and logs out on the server unless the server ended it: then the work of the user is kept. */
export function signOut({ isOver = false } = {}): void {
  const session = current
  localStorage.removeItem(key)
  if (!isOver) removeUserData()
  set(undefined, isOver)
  if (session && !isOver) {
    const { sessions } = new Wharf({ url: serverUrl, session: session.uuid })
    // not awaited: the session also expires on the server
    sessions.logOut(session.uuid).catch(() => {})
  }
}

/** Instead of a renewal of the session that has ended. */
export function chooseAnotherUser(): void {
  removeUserData()
  signOut({ isOver: true })
}

function listen(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export const useSession = (): Session | undefined => useSyncExternalStore(listen, () => current)

/** The session that has ended and can be renewed with the password. */
export const useEndedSession = (): Session | undefined => useSyncExternalStore(listen, () => renewal?.session)

export const useEnteredPassword = () => useSyncExternalStore(listen, () => entered)

/** True after the server ended the session. */
export const useHasEnded = (): boolean => useSyncExternalStore(listen, () => hasEnded)
