import { randomBytes } from 'node:crypto'
import type { Tx } from '@wharf/database/database.ts'
import { DatabaseClock } from '@wharf/database/database-clock.ts'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { systemClock } from '@wharf/platform/clock.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { asSystem } from '../audit/audit-source.ts'
import { AuditTrail } from '../audit/audit-trail.ts'
import { Events } from '../events/events.ts'
import { AccountService } from '../resources/identity/accounts/service.ts'
import { Attempts } from '../resources/identity/attempts.ts'
import { Credentials } from '../resources/identity/credentials.ts'
import { makePasswords } from '../resources/identity/passwords.ts'
import { SessionService } from '../resources/identity/sessions/service.ts'
import { TagService } from '../resources/tags/service.ts'

/** For an account whose password was lost. A user with write access to the database has these rights already. */
export async function resetPassword(
  { database, sealing, nodeUuid }: { database: OpenedDatabase; sealing: Sealing; nodeUuid: string },
  name: string,
): Promise<string> {
  const passwords = makePasswords()
  const clock = await DatabaseClock.measure(database, systemClock)
  const audit = new AuditTrail({ database, clock, sealing, nodeUuid })
  const events = new Events({ database, clock, audit })
  const deps = { database, clock, events, attempts: new Attempts(clock), passwords }
  const sessions = new SessionService({ ...deps, credentials: new Credentials({ ...deps, sealing }) })
  const accounts = new AccountService({ ...deps, sessions, tags: new TagService(deps) })
  const account = await accounts.findByName(name)
  if (account === undefined) throw new OperatorError(`account ${name} does not exist`)
  const { uuid } = account
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await passwords.hash(password)
  const credential = { kind: 'none' } as const
  const names = { accountUuid: uuid, userUuid: uuid, userName: name }
  const itself = { ...names, role: 'admin', scope: undefined, credential } as const
  const setPassword = (tx: Tx) => accounts.setAccountPassword(tx, itself, uuid, passwordHash)
  await asSystem('ResetPassword', () => database.transaction(setPassword))
  return password
}
