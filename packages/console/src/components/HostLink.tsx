import Link from '@cloudscape-design/components/link'
import { linkTo } from '../browser/route.ts'
import { useHostName, useSomeHostNames } from './use-host-names.ts'

/** With the uuid of the host until its name is known. */
export function HostLink({ uuid }: { uuid: string }) {
  const names = useSomeHostNames()
  return <Link href={linkTo(['hosts', uuid])}>{names ? (names.get(uuid) ?? <HostName uuid={uuid} />) : uuid}</Link>
}

const HostName = ({ uuid }: { uuid: string }) => <>{useHostName(uuid)}</>
