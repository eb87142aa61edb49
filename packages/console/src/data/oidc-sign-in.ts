import { Wharf } from '@wharf/sdk'
import { writeStoredText } from '../browser/stored-json.ts'
import { valueStore } from '../browser/value-store.ts'
import { serverUrl, startSession } from './session.ts'

const placeKey = 'wharf.sign-in-place'
const returnedHash = /^#\/sign-in\/([^?]+)\?(.+)$/

/** The cookie of a sign-in binds it to this browser; other calls need none. */
const wharf = (): Wharf =>
  new Wharf({ url: serverUrl, fetch: (input, init) => fetch(input, { ...init, credentials: 'same-origin' }) })

export const listOidcProviders = async () => (await wharf().oidc.providers()).inventories

/** Leaves this page for that of the provider. */
export async function startOidcSignIn(provider: string): Promise<void> {
  const { url } = await wharf().oidc.start({ provider, address: serverUrl })
  writeStoredText(placeKey, location.hash, sessionStorage)
  location.assign(url)
}

/** What the provider has sent the browser back with; it leaves the address and the history at once. */
function takeResponse(): { provider: string; response: string } | undefined {
  const [, provider, response] = returnedHash.exec(location.hash) ?? []
  if (provider === undefined || response === undefined) return undefined
  history.replaceState(history.state, '', sessionStorage.getItem(placeKey) || '#/')
  sessionStorage.removeItem(placeKey)
  return { provider, response }
}

interface Returned {
  readonly isBusy: boolean
  readonly failure?: unknown
}

const returned = valueStore<Returned>({ isBusy: false })

/** The sign-in that the user has returned from, until the session has started. */
export const useReturnedSignIn = returned.use

export async function finishOidcSignIn(): Promise<void> {
  const response = takeResponse()
  if (response === undefined) return
  returned.set({ isBusy: true })
  try {
    const { inventory } = await wharf().oidc.logIn(response)
    await startSession(inventory)
    returned.set({ isBusy: false })
  } catch (failure) {
    returned.set({ isBusy: false, failure })
  }
}
