import { isSameAddress, parseAddress } from '@wharf/platform/cidr.ts'
import type { ClusterForm } from './cluster-form.ts'
import { type HostInfo, unavailability } from './preflight.ts'

const nodeFields = ['managementIp', 'second', 'third'] as const
type NodeField = (typeof nodeFields)[number]

interface OfferedFrom {
  readonly form: ClusterForm
  readonly hosts: readonly HostInfo[]
  /** The host of the package, which is the first node. */
  readonly packageHostUuid: string | null | undefined
}

/** The hosts that can be this node: usable, known by an IP address, and not another node already. */
export function offeredNodes(field: NodeField, { form, hosts, packageHostUuid }: OfferedFrom): HostInfo[] {
  const isAnotherNode = ({ address }: HostInfo): boolean =>
    nodeFields.some((other) => other !== field && isSameAddress(form[other].trim(), address))
  return hosts.filter(
    (host) =>
      host.driver === 'ssh' &&
      unavailability(host) === undefined &&
      parseAddress(host.address) !== undefined &&
      (host.uuid === packageHostUuid) === (field === 'managementIp') &&
      !isAnotherNode(host),
  )
}
