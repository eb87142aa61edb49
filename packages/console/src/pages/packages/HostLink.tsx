import Link from '@cloudscape-design/components/link'
import { linkTo } from '../../frame/route.ts'
import { useHostName } from './host-names.ts'

/** A host by its name. */
export const HostLink = ({ uuid }: { uuid: string }) => <Link href={linkTo(['hosts', uuid])}>{useHostName(uuid)}</Link>
