import type { Database } from '@wharf/database/database.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { SessionService } from '../sessions/service.ts'
import { InvalidLogoutToken, type LogoutToken, readLogoutToken } from './logout-token.ts'
import type { ProviderClients } from './provider-clients.ts'
import { reasonFrom } from './provider-failure.ts'
import type { OidcProvider } from './provider-file.ts'
import { OidcStore } from './store.ts'

interface LogoutDeps {
  readonly database: Database
  readonly clock: Clock
  readonly sessions: SessionService
  readonly clients: ProviderClients
}

/** Back-channel logout: a provider reports that a user has signed out there. */
export class OidcLogouts {
  readonly #deps: LogoutDeps
  readonly #store: OidcStore

  constructor(deps: LogoutDeps) {
    this.#deps = deps
    this.#store = new OidcStore(deps.database)
  }

  async accept(id: string, token: string): Promise<void> {
    const provider = this.#deps.clients.find(id)
    if (provider === undefined) throw new ApiError('SYS.1003', `there is no identity provider "${id.slice(0, 64)}"`)
    const read = await this.#read(provider, token)
    await this.#deps.database.transaction(async (tx) => {
      if (!(await this.#store.useLogoutToken(tx, read)))
        throw invalid('logout_token is refused: its jti was used before; send a new token')
      for (const hash of await this.#store.listSessions(tx, read)) await this.#deps.sessions.endByHash(tx, hash)
    })
  }

  async #read(provider: OidcProvider, token: string): Promise<LogoutToken> {
    const { clients, clock } = this.#deps
    const client = await clients.client(provider)
    try {
      return await readLogoutToken(token, client, clock.now())
    } catch (error) {
      if (error instanceof InvalidLogoutToken) throw invalid(`logout_token is refused: ${error.message}`)
      const text = `the keys of identity provider "${provider.label}" cannot be read: ${reasonFrom(error)}`
      throw new ApiError('SYS.1015', `${text}; send the token again`, { cause: error })
    }
  }
}
