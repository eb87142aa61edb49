import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, Client } from '../calls/client.ts'

interface Cleanup {
  after(work: () => Promise<void>): void
}

interface ConfiguredProvider {
  readonly id: string
  readonly label?: string
  readonly issuer: string
  readonly rules: readonly object[]
  readonly clientSecret?: string
}

/** A file for WHARF_OIDC_FILE. */
export function oidcFile(t: Cleanup, providers: readonly ConfiguredProvider[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-oidc-'))
  t.after(async () => rmSync(folder, { recursive: true, force: true }))
  const entries = providers.map(({ id, label, issuer, rules, clientSecret = 'secret of the client' }) => {
    writeFileSync(join(folder, `${id}.secret`), `${clientSecret}\n`)
    return {
      id,
      label: label ?? `Sign in with ${id}`,
      issuer,
      clientId: 'wharf',
      clientSecretFile: `${id}.secret`,
      rules,
    }
  })
  const path = join(folder, 'oidc.json')
  writeFileSync(path, JSON.stringify(entries))
  return path
}

/** A sign-in that a browser has started. */
export interface StartedSignIn {
  /** At the provider. */
  readonly url: string
  readonly cookie: string
}

export async function startSignIn(client: Client, provider: string): Promise<StartedSignIn> {
  const answer = await client.put('/v1/oidc/sign-in', { startOidcSignIn: { provider } })
  if (answer.status !== 200) throw new Error(`the sign-in does not start: ${answer.text}`)
  const cookie = answer.headers.getSetCookie().map((text) => text.split(';', 1)[0])
  return { url: String(answer.body.url), cookie: cookie.join('; ') }
}

/** With what the provider has sent the browser back with. */
export const finishSignIn = (client: Client, response: string, cookie: string, provider = 'corp'): Promise<Answer> =>
  client.put('/v1/oidc/login', { logInByOidc: { provider, response } }, { cookie })

export const sessionOf = (client: Client, answer: Answer): Client => {
  if (answer.status !== 200) throw new Error(`the sign-in failed: ${answer.text}`)
  return new Client(client.url, { kind: 'session', uuid: (answer.body.inventory as { uuid: string }).uuid })
}
