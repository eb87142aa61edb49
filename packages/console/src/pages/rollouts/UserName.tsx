import { queryUser } from '@wharf/contract'
import { useApiQuery } from '../../data/api-query.ts'

/** The name of a user; the uuid of one that has been deleted. */
export function UserName({ uuid }: { uuid: string }) {
  const { data } = useApiQuery(queryUser, { q: [`uuid=${uuid}`], fields: ['uuid', 'name'] })
  return <>{data?.inventories?.find((user) => user.uuid === uuid)?.name ?? uuid}</>
}
