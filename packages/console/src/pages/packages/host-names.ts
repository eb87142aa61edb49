import { queryHost } from '@wharf/contract'
import { useAnswer } from '../../wharf/answers.ts'

/** Beyond so many the uuid has to do. */
const maxHosts = 1000

/** What hosts are called, asked for once for all of a table. */
export function useHostNames(): (uuid: string) => string {
  const { data } = useAnswer(queryHost, { fields: ['uuid', 'name'], limit: maxHosts })
  const names = new Map(data?.inventories?.map(({ uuid = '', name = '' }) => [uuid, name]))
  return (uuid) => names.get(uuid) ?? uuid
}
