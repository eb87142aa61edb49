import type { AnswerOf, getCallerIdentity } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { sessionUuid } from '../../../audit/audit-source.ts'
import type { Caller, Credential } from '../../../calls/caller.ts'
import { AccountStore } from './store.ts'

type CallerIdentity = AnswerOf<typeof getCallerIdentity>['inventory']

/** The account, user and role of the caller, and the credential of the call. */
export async function readCallerIdentity(
  database: Database,
  { userUuid, role, scope, credential }: Caller,
): Promise<CallerIdentity> {
  const user = await new AccountStore(database).readNames(userUuid)
  // deleted since the call was authenticated
  if (user === undefined) throw new ApiError('ID.1001', 'the user of this credential does not exist')
  const hasBootstrapPassword = user.hasBootstrapPassword === 1
  const ofCall = { userUuid, role, scope: [...(scope?.texts ?? [])], ...shownCredential(credential) }
  return { ...user, hasBootstrapPassword, ...ofCall }
}

const shownCredential = (credential: Credential): Pick<CallerIdentity, 'credentialType' | 'credentialUuid'> =>
  credential.kind === 'key'
    ? { credentialType: 'AccessKey', credentialUuid: credential.uuid }
    : { credentialType: 'Session', credentialUuid: credential.kind === 'session' ? sessionUuid(credential.hash) : '' }
