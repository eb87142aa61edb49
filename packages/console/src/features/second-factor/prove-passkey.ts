import { startAuthentication } from '@simplewebauthn/browser'

/** The answer of the browser to a challenge, as the text of a second factor. */
export async function provePasskey(options: object): Promise<string> {
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON']
  return JSON.stringify(await startAuthentication({ optionsJSON }))
}
