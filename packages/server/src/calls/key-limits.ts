import { isListed, type Operation } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type Cidr, canonicalAddress, contains, formatCidr, parseAddress } from '@wharf/platform/cidr.ts'
import type { Caller } from './caller.ts'

const maxShown = 10

/** Why the access key of this caller may not call an operation from this address; undefined when it may. */
export function keyRefusal(
  { credential }: Caller,
  operation: Pick<Operation, 'name' | 'resource'>,
  source: string,
): ApiError | undefined {
  if (credential.kind !== 'key') return undefined
  const { id, limits } = credential
  if (!isListed(limits.operations, operation))
    return new ApiError(
      'ID.1002',
      `access key ${id} may not call ${operation.name}, only ${shown(limits.operations)}; use another key`,
    )
  if (!isAllowedFrom(limits.allowedCidrs, source))
    return new ApiError(
      'ID.1002',
      `access key ${id} may not be used from ${source}, only from ${shown(limits.allowedCidrs.map(formatCidr))}`,
    )
  return undefined
}

function isAllowedFrom(networks: readonly Cidr[], source: string): boolean {
  if (networks.length === 0) return true
  const parsed = parseAddress(source.replace(/%.*$/, ''))
  const address = parsed && parseAddress(canonicalAddress(parsed))
  return address !== undefined && networks.some((network) => contains(network, address))
}

const shown = (list: readonly string[]): string =>
  list.length > maxShown ? `${list.slice(0, maxShown).join(', ')} and ${list.length - maxShown} more` : list.join(', ')
