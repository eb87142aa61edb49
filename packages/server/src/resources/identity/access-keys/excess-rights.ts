import { hasMoreRights, isListed, operations } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type Cidr, contains, formatCidr } from '@wharf/platform/cidr.ts'
import type { Caller, KeyLimits } from '../../../calls/caller.ts'

/** A key could otherwise get around its limits with a key that it creates, or whose secret it gets. */
export function refuseExcess({ credential }: Caller, limits: KeyLimits, action: 'create' | 'rotate' | 'enable'): void {
  if (credential.kind !== 'key') return
  const { id, limits: own } = credential
  const excess =
    excessRole(limits, own) ??
    excessOperation(limits, own) ??
    excessNetwork(limits, own) ??
    excessScheme(limits, own) ??
    excessTime(limits, own)
  if (excess === undefined) return
  throw new ApiError(
    'ID.1002',
    `access key ${id} may not ${action} a key that permits more than itself: ${excess}; use a session, or a key without this limit`,
  )
}

type Excess = (limits: KeyLimits, own: KeyLimits) => string | undefined

const excessRole: Excess = ({ role }, own) =>
  hasMoreRights(role ?? 'admin', own.role ?? 'admin')
    ? `the role ${role ?? 'of the user'}, and its own is ${own.role}`
    : undefined

const excessOperation: Excess = ({ operations: listed }, own) => {
  if (own.operations.length === 0) return undefined
  if (listed.length === 0) return 'all operations'
  const name = listed.find((one) => !isWithin(one, own.operations))
  return name && `the operation ${name}`
}

/** A group may gain operations in the next version, so only the same group contains it. */
function isWithin(name: string, own: readonly string[]): boolean {
  const operation = operations.find((one) => one.name === name)
  return operation === undefined ? own.includes(name) : isListed(own, operation)
}

const excessNetwork: Excess = ({ allowedCidrs }, own) => {
  if (own.allowedCidrs.length === 0) return undefined
  if (allowedCidrs.length === 0) return 'all addresses'
  const network = allowedCidrs.find((one) => !own.allowedCidrs.some((all) => covers(all, one)))
  return network && `the network ${formatCidr(network)}`
}

const covers = (all: Cidr, one: Cidr): boolean => one.prefix >= all.prefix && contains(all, one.address)

const excessScheme: Excess = ({ schemes }, own) => {
  const scheme = schemes.find((one) => !own.schemes.includes(one))
  return scheme && `the scheme ${scheme}`
}

const excessTime: Excess = ({ expiresDate }, own) =>
  (expiresDate ?? Number.POSITIVE_INFINITY) > (own.expiresDate ?? Number.POSITIVE_INFINITY)
    ? `calls after ${new Date(own.expiresDate ?? 0).toUTCString()}, when the credential of this call ends`
    : undefined
