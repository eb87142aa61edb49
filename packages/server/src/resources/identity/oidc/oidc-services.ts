import type { Database } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { Outbox } from '../../../events/outbox.ts'
import type { AccessKeyService } from '../access-keys/service.ts'
import type { SessionService } from '../sessions/service.ts'
import { type OidcLimits, oidcLimits } from './limits.ts'
import { OidcLogouts } from './logouts.ts'
import { ProviderClients } from './provider-clients.ts'
import type { OidcProvider } from './provider-file.ts'
import { OidcRefreshes } from './refreshes.ts'
import { OidcSignIns } from './sign-ins.ts'
import { OidcUsers } from './users.ts'

interface OidcDeps {
  readonly settings: { readonly caFile?: string | undefined; readonly oidcProviders: readonly OidcProvider[] }
  readonly database: Database
  readonly events: Outbox
  readonly clock: Clock
  readonly log: Log
  readonly sealing: Sealing
  readonly sessions: SessionService
  readonly keys: AccessKeyService
}

/** Single sign-on. */
export function createOidcServices(deps: OidcDeps, changed: Partial<OidcLimits> = {}) {
  const clients = new ProviderClients(deps)
  const users = new OidcUsers(deps)
  const shared = { ...deps, clients, users, limits: { ...oidcLimits, ...changed } }
  return {
    signIns: new OidcSignIns(shared),
    refreshes: new OidcRefreshes(shared),
    logouts: new OidcLogouts(shared),
  }
}
