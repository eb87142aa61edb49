import Link from '@cloudscape-design/components/link'
import { linkTo } from '../browser/route.ts'
import { useHostName } from './use-host-names.ts'

export const HostLink = ({ uuid }: { uuid: string }) => <Link href={linkTo(['hosts', uuid])}>{useHostName(uuid)}</Link>
