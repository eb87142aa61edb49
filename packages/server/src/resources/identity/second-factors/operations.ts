import {
  confirmAuthenticator,
  createPasskey,
  createPasskeyChallenge,
  createRecoveryCodes,
  enrolAuthenticator,
  getSecondFactors,
  removeAuthenticator,
  removePasskey,
  removeSecondFactors,
} from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import { type Binding, handle } from '../../../calls/bind.ts'
import type { CallContext } from '../../../calls/call-context.ts'
import { clientOf } from '../accounts/hash-client.ts'
import type { PasswordChanges } from '../accounts/password-changes.ts'
import { userInventory } from '../accounts/service.ts'
import { adminLock } from '../accounts/user-changes.ts'
import type { SecondFactorService } from './service.ts'

interface SecondFactorOperationDeps {
  readonly passwordChanges: PasswordChanges
  readonly secondFactors: SecondFactorService
}

export function secondFactorOperations({ passwordChanges, secondFactors }: SecondFactorOperationDeps): Binding[] {
  const checkPassword = (call: CallContext, password: string, structure: string): Promise<string> =>
    passwordChanges.checkOwn(
      call.caller,
      password,
      { source: call.source, client: clientOf(call) },
      `${structure}.password`,
    )
  const originOf = (call: CallContext) => ({ address: call.address(), source: call.source })
  const lock = adminLock
  return [
    handle(getSecondFactors, async ({ caller }) => ({ inventory: await secondFactors.get(caller) })),
    handle(
      enrolAuthenticator,
      async (call) => {
        await checkPassword(call, call.fields.password, 'enrolAuthenticator')
        return call.commit((tx) => secondFactors.enrolAuthenticator(tx, call.caller))
      },
      { lock },
    ),
    handle(
      confirmAuthenticator,
      async ({ caller, fields, commit }) => {
        const proof = await secondFactors.verifyFirstCode(caller, fields.code)
        return commit(async (tx) => ({ recoveryCodes: await secondFactors.confirmAuthenticator(tx, caller, proof) }))
      },
      { lock },
    ),
    handle(
      removeAuthenticator,
      async (call) => {
        const { caller, fields } = call
        const origin = originOf(call)
        const proof = await secondFactors.proveRemoval(caller, fields.secondFactor, origin, 'removeAuthenticator')
        return call.commit(async (tx) => {
          await secondFactors.removeAuthenticator(tx, caller, proof)
          return {}
        })
      },
      { lock },
    ),
    handle(
      createRecoveryCodes,
      async (call) => {
        await checkPassword(call, call.fields.password, 'createRecoveryCodes')
        return call.commit(async (tx) => ({ recoveryCodes: await secondFactors.createRecoveryCodes(tx, call.caller) }))
      },
      { lock },
    ),
    handle(createPasskeyChallenge, async (call) => {
      const { caller, fields } = call
      const { purpose, password } = fields
      if (purpose === 'create') {
        if (password === undefined) throw invalid('createPasskeyChallenge.password is required to create a passkey')
        await checkPassword(call, password, 'createPasskeyChallenge')
      }
      const options = await secondFactors.passkeyOptions(caller, purpose, call.address())
      return call.commit(async (tx) => {
        await secondFactors.storeChallenge(tx, caller, purpose, options)
        return { options: JSON.stringify(options) }
      })
    }),
    handle(
      createPasskey,
      async (call) => {
        const verified = await secondFactors.verifyPasskey(call.caller, call.fields, call.address())
        return call.commit((tx) => secondFactors.createPasskey(tx, call.caller, verified))
      },
      { lock },
    ),
    handle(
      removePasskey,
      async (call) => {
        const { caller, fields } = call
        const proof = await secondFactors.proveRemoval(caller, fields.secondFactor, originOf(call), 'removePasskey')
        return call.commit(async (tx) => {
          await secondFactors.removePasskey(tx, caller, fields.passkey, proof)
          return {}
        })
      },
      { lock },
    ),
    handle(
      removeSecondFactors,
      ({ caller, path, commit }) =>
        commit(async (tx) => ({ inventory: userInventory(await secondFactors.removeOfUser(tx, caller, path.uuid)) })),
      { lock },
    ),
  ]
}
