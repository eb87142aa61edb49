import Link from '@cloudscape-design/components/link'
import { linkTo } from '../browser/route.ts'
import { useHostName, useSomeHostNames } from './use-host-names.ts'

/** `name`: when the page knows it, so that each row needs no query. */
export const HostLink = ({ uuid, name }: { uuid: string; name?: string | undefined }) => (
  <Link href={linkTo(['hosts', uuid])}>{name ?? <HostName uuid={uuid} />}</Link>
)

/** The uuid while loading. */
function HostName({ uuid }: { uuid: string }) {
  const names = useSomeHostNames()
  return names ? (names.get(uuid) ?? <FurtherHostName uuid={uuid} />) : uuid
}

const FurtherHostName = ({ uuid }: { uuid: string }) => useHostName(uuid)
