import Link from '@cloudscape-design/components/link'
import { linkTo } from '../browser/route.ts'
import { useHostName } from './use-host-names.ts'

/** `name`: when the page knows it, so that each row needs no query. */
export const HostLink = ({ uuid, name }: { uuid: string; name?: string | undefined }) => (
  <Link href={linkTo(['hosts', uuid])}>{name ?? <HostName uuid={uuid} />}</Link>
)

const HostName = ({ uuid }: { uuid: string }) => useHostName(uuid)
