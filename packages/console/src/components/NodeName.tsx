import { queryManagementNode } from '@wharf/contract'
import { useApiQuery } from '../data/api-query.ts'

/** The host name of a management node; its uuid while loading, and when the node no longer exists. */
export function NodeName({ uuid }: { uuid: string }) {
  const { data } = useApiQuery(queryManagementNode, { fields: ['uuid', 'hostName'], sort: '+hostName' })
  return data?.inventories?.find((node) => node.uuid === uuid)?.hostName ?? uuid
}
