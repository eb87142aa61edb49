import { randomBytes } from 'node:crypto'
import type { Tx } from '@wharf/database/database.ts'
import { DatabaseClock } from '@wharf/database/database-clock.ts'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { systemClock } from '@wharf/platform/clock.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { asSystem } from '../audit/audit-source.ts'
import { AuditTrail } from '../audit/audit-trail.ts'
import type { Settings } from '../composition/settings.ts'
import { Outbox } from '../events/outbox.ts'
import { PasswordChanges } from '../resources/identity/accounts/password-changes.ts'
import { AccountService } from '../resources/identity/accounts/service.ts'
import { UserChanges } from '../resources/identity/accounts/user-changes.ts'
import { Credentials } from '../resources/identity/credentials.ts'
import { LoginThrottle } from '../resources/identity/login-throttle.ts'
import { makePasswords } from '../resources/identity/passwords.ts'
import { SecondFactorService } from '../resources/identity/second-factors/service.ts'
import { SessionService } from '../resources/identity/sessions/service.ts'

interface ResetDeps {
  readonly database: OpenedDatabase
  readonly sealing: Sealing
  readonly settings: Settings
  readonly nodeUuid: string
}

/** For an account whose password was lost. A user with write access to the database has these rights already. */
export async function resetPassword(
  { database, sealing, settings, nodeUuid }: ResetDeps,
  { name, removesFactors }: { name: string; removesFactors: boolean },
): Promise<{ password: string; hasSecondFactor: boolean }> {
  const passwords = makePasswords()
  const clock = await DatabaseClock.measure(database, systemClock)
  const audit = new AuditTrail({ database, clock, sealing, nodeUuid })
  const events = new Outbox({ database, clock, audit })
  const deps = { database, clock, events, attempts: new LoginThrottle(clock), passwords }
  const secondFactors = new SecondFactorService({ ...deps, sealing, settings })
  const credentials = new Credentials({ ...deps, sealing })
  const sessions = new SessionService({ ...deps, settings, credentials, secondFactors })
  const userChanges = new UserChanges({ ...deps, sessions })
  const accounts = new AccountService({ ...deps, userChanges })
  const passwordChanges = new PasswordChanges({ ...deps, userChanges })
  const account = await accounts.findByName(name)
  if (account === undefined) throw new OperatorError(`account ${name} does not exist`)
  const { uuid } = account
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await passwords.hash(password)
  const credential = { kind: 'none' } as const
  const names = { accountUuid: uuid, userUuid: uuid, userName: name }
  const itself = { ...names, role: 'admin', scope: undefined, credential } as const
  // also with WHARF_LOCAL_LOGIN=none: an identity provider that is down must not lock everybody out
  const reset = async (tx: Tx): Promise<boolean> => {
    await passwordChanges.setOfAccount(tx, itself, uuid, passwordHash, { isRestored: true })
    if (removesFactors) await secondFactors.removeAll(tx, { uuid })
    return accounts.hasSecondFactor(tx, uuid)
  }
  const hasSecondFactor = await asSystem('ResetPassword', () => database.transaction(reset))
  return { password, hasSecondFactor }
}
