import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Provider } from 'oidc-provider'
import { freePort } from '../free-port.ts'

const clientId = 'wharf'
const clientSecret = 'secret of the client'
const hourSeconds = 3600

interface Cleanup {
  after(work: () => Promise<void>): void
}

/** A real OpenID provider on loopback, without passwords: a user chooses who to be. */
export class IdentityProvider {
  readonly clientId = clientId
  readonly clientSecret = clientSecret
  readonly issuer: string
  /** The groups of each user, which a test may change. */
  readonly users: Map<string, readonly string[]>
  readonly #listener: RequestListener
  readonly #port: number
  #server: Server | undefined
  #refusesTokens = false
  readonly #browsers = new Map<string, CookieJar>()

  private constructor(port: number, users: Map<string, readonly string[]>, listener: RequestListener) {
    this.issuer = `http://127.0.0.1:${port}`
    this.users = users
    this.#port = port
    this.#listener = listener
  }

  /** `wharfUrls`: the addresses of the servers whose users sign in here, with their prefix. */
  static async start(
    t: Cleanup,
    { wharfUrls, id, users }: { wharfUrls: readonly string[]; id: string; users: Record<string, readonly string[]> },
  ): Promise<IdentityProvider> {
    const port = await freePort('127.0.0.1')
    const known = new Map(Object.entries(users))
    const provider = await quietly(() => createProvider(`http://127.0.0.1:${port}`, known, wharfUrls, id))
    const started = new IdentityProvider(port, known, withLoginPage(provider, known))
    await started.restart()
    t.after(() => started.close())
    return started
  }

  /** After `close`, at the same address and with the same sessions. */
  async restart(): Promise<void> {
    this.#server = createServer((request, response) => {
      if (!this.#refusesTokens || request.url !== '/token') return this.#listener(request, response)
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
    })
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** From now on it accepts neither codes nor refresh tokens. */
  revokeAll(): void {
    this.#refusesTokens = true
  }

  /** The user signs in at the login page of the provider; returns the address that the browser is sent back to. */
  async signIn(authorizationUrl: string, user: string): Promise<URL> {
    const browser = new CookieJar()
    this.#browsers.set(user, browser)
    let response = await browser.open(authorizationUrl)
    for (let steps = 0; steps < 10; steps++) {
      const location = response.headers.get('location')
      if (location === null) {
        const form = /action="([^"]+)"/.exec(await response.text())?.[1]
        if (form === undefined) throw new Error(`the provider answers ${response.status} without a form`)
        response = await browser.open(form, new URLSearchParams({ login: user }))
        continue
      }
      const next = new URL(location, this.issuer)
      if (next.origin !== this.issuer) return next
      response = await browser.open(next.href)
    }
    throw new Error('the provider does not send the browser back')
  }

  /** The user signs out there, in the browser of its last sign-in: the provider notifies its clients. */
  async signOut(user: string): Promise<void> {
    const browser = this.#browsers.get(user) ?? new CookieJar()
    const page = await (await browser.open(`${this.issuer}/session/end`)).text()
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? []
    await browser.open(action, new URLSearchParams({ xsrf, logout: 'yes' }))
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}

async function createProvider(
  issuer: string,
  users: ReadonlyMap<string, readonly string[]>,
  wharfUrls: readonly string[],
  id: string,
): Promise<Provider> {
  const { Provider } = await import('oidc-provider')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: wharfUrls.map((url) => `${url}/v1/oidc/callback/${id}`),
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
        backchannel_logout_uri: `${wharfUrls[0]}/v1/oidc/logout/${id}`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' }] },
    claims: { openid: ['sub', 'sid'], profile: ['preferred_username', 'groups'], email: ['email'] },
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    features: {
      backchannelLogout: { enabled: true },
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          ctx.body = `<!DOCTYPE html>${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`
        },
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key for the cookies of this provider'] },
    // its own dispatcher refuses loopback addresses
    fetch: (url, init) => {
      const { dispatcher: _, ...options } = { dispatcher: undefined, ...init }
      return fetch(url, options)
    },
    findAccount: (_ctx, sub) => {
      const groups = users.get(sub)
      if (groups === undefined) return undefined
      return {
        accountId: sub,
        claims: () => ({ sub, preferred_username: sub, email: `${sub}@example.com`, groups: users.get(sub) ?? [] }),
      }
    },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // without a page of consent
    loadExistingGrant: async (ctx) => {
      const { client, session, provider } = ctx.oidc
      if (client === undefined || session?.accountId === undefined) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email offline_access')
      await grant.save()
      return grant
    },
    ttl: {
      AccessToken: hourSeconds,
      AuthorizationCode: 60,
      Grant: hourSeconds,
      IdToken: hourSeconds,
      Interaction: hourSeconds,
      RefreshToken: 24 * hourSeconds,
      Session: 24 * hourSeconds,
    },
  })
}

/** Its login page lists the users. */
function withLoginPage(provider: Provider, users: ReadonlyMap<string, readonly string[]>): RequestListener {
  const listener = provider.callback()
  return (request, response) => {
    const { method, url = '' } = request
    if (!url.startsWith('/interaction/')) return void listener(request, response)
    if (method === 'POST')
      return void text(request)
        .then((form) => ({ login: { accountId: new URLSearchParams(form).get('login') ?? '' } }))
        .then((result) => provider.interactionFinished(request, response, result))
    const buttons = [...users].map(
      ([user, groups]) => `<p><button name="login" value="${user}">${user}</button> ${groups.join(', ')}</p>`,
    )
    const issuer = new URL(provider.issuer).origin
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<!DOCTYPE html><title>Sign in</title><form method="post" action="${issuer}${url}"><h1>Sign in as</h1>${buttons.join('')}</form>`,
      )
  }
}

/** It prints notices about settings for production. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { info, warn } = console
  Object.assign(console, { info: () => {}, warn: () => {} })
  try {
    return await work()
  } finally {
    Object.assign(console, { info, warn })
  }
}

/** A browser without a page: cookies of one server, and no redirects. */
class CookieJar {
  readonly #cookies = new Map<string, string>()

  async open(url: string, form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    })
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }
}
