import { logInByAccount, logInByUser, logOut, validateSession } from '@wharf/contract'
import { type Binding, handle } from '../../../calls/bind.ts'
import type { SessionService } from './service.ts'

export function sessionOperations(sessions: SessionService): Binding[] {
  return [
    handle(logInByAccount, async ({ fields: { accountName, password }, source, disconnectSignal }) => ({
      inventory: await sessions.logIn({
        account: { name: accountName },
        password,
        source,
        disconnectSignal,
      }),
    })),
    handle(
      logInByUser,
      async ({ fields: { accountName, accountUuid, userName, password }, source, disconnectSignal }) => ({
        inventory: await sessions.logIn({
          account: {
            ...(accountName === undefined ? {} : { name: accountName }),
            ...(accountUuid === undefined ? {} : { uuid: accountUuid }),
          },
          userName,
          password,
          source,
          disconnectSignal,
        }),
      }),
    ),
    handle(logOut, async ({ path }) => {
      await sessions.logOut(path.uuid)
      return {}
    }),
    handle(validateSession, async ({ path }) => ({ valid: await sessions.isValid(path.uuid) })),
  ]
}
