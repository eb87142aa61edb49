import { ApiError } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Configuration } from 'openid-client'
import { OtherIssuer, reasonFrom } from './provider-failure.ts'
import { providerFetch } from './provider-fetch.ts'
import { isLoopback, type OidcProvider, readSecret } from './provider-file.ts'
import { ProviderKeys } from './provider-keys.ts'

/** A provider after discovery. */
export interface ProviderClient {
  readonly provider: OidcProvider
  readonly configuration: Configuration
  readonly keys: ProviderKeys
}

/** A changed endpoint or client secret takes effect within this time. */
const maxAgeMs = 600_000
/** Clients that try again must not make the server send a request each time. */
const failureMs = 3000
const timeoutSeconds = 10

interface Discovery {
  readonly startDate: number
  readonly client: Promise<ProviderClient>
  hasFailed?: true
}

interface ProviderClientDeps {
  readonly clock: Clock
  readonly settings: { readonly caFile?: string | undefined; readonly oidcProviders: readonly OidcProvider[] }
}

/** The providers of WHARF_OIDC_FILE. Each is discovered when it is needed, so a provider that is down prevents no start. */
export class ProviderClients {
  readonly #deps: ProviderClientDeps
  readonly #discoveries = new Map<string, Discovery>()

  constructor(deps: ProviderClientDeps) {
    this.#deps = deps
  }

  get providers(): readonly OidcProvider[] {
    return this.#deps.settings.oidcProviders
  }

  find(id: string): OidcProvider | undefined {
    return this.providers.find((provider) => provider.id === id)
  }

  async client(provider: OidcProvider): Promise<ProviderClient> {
    const now = this.#deps.clock.now()
    const known = this.#discoveries.get(provider.id)
    const validMs = known?.hasFailed ? failureMs : maxAgeMs
    if (known !== undefined && now >= known.startDate && now - known.startDate < validMs) return known.client
    const discovery: Discovery = { startDate: now, client: this.#discover(provider) }
    this.#discoveries.set(provider.id, discovery)
    discovery.client.catch(() => {
      discovery.hasFailed = true
    })
    return discovery.client
  }

  async #discover(provider: OidcProvider): Promise<ProviderClient> {
    const { issuer, clientId, label, clientSecretFile } = provider
    try {
      const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await import(
        'openid-client'
      )
      const server = new URL(issuer)
      const isPlain = server.protocol === 'http:' && isLoopback(server)
      const fetch = providerFetch(this.#deps.settings.caFile)
      const configuration = await discovery(server, clientId, readSecret(clientSecretFile), undefined, {
        [customFetch]: fetch,
        timeout: timeoutSeconds,
        // by default the library trusts the connection instead of the signature of an ID token
        execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
      })
      const { jwks_uri: keysUri, issuer: reported } = configuration.serverMetadata()
      // the library makes exceptions for providers that serve many organisations under one address
      if (!URL.canParse(reported) || new URL(reported).href !== server.href) throw new OtherIssuer(reported, issuer)
      return { provider, configuration, keys: new ProviderKeys({ keysUri, fetch, timeoutSeconds, ...this.#deps }) }
    } catch (error) {
      const text = `identity provider "${label}" cannot be used: ${reasonFrom(error)}`
      throw new ApiError('SYS.1015', `${text}; try again later, or have an admin check ${issuer} in WHARF_OIDC_FILE`, {
        cause: error,
      })
    }
  }
}
