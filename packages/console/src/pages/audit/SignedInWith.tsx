import Link from '@cloudscape-design/components/link'
import { type ActorKind, queryAccessKey } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { recordLink } from '../../components/record-history/record-link.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface Authenticated {
  readonly actorKind?: ActorKind | undefined
  readonly role?: string | null | undefined
  readonly credentialUuid?: string | null | undefined
}

/** The kind of the credential, and the session or access key itself, which may no longer exist. */
export function SignedInWith({ entry: { actorKind, role, credentialUuid } }: { entry: Authenticated }) {
  const t = useMessages(messages)
  const isKey = actorKind === 'AccessKey' && Boolean(credentialUuid)
  const { data } = useApiQuery(queryAccessKey, { q: [`uuid=${credentialUuid}`] }, { enabled: isKey })
  const kind = [actorKind && t.kinds[actorKind], role].filter(Boolean).join(' · ')
  // a kind of credential has the name of its type of record
  const href = recordLink({ resourceType: actorKind, resourceUuid: credentialUuid })
  if (!href || !credentialUuid) return kind
  return (
    <>
      {kind}
      <br />
      <Link href={href}>{data?.inventories?.[0]?.AccessKeyID ?? credentialUuid}</Link>
      <br />
      <Link href={linkTo(['audit'], { q: `credentialUuid=${credentialUuid}` })}>{t.credentialEntries}</Link>
    </>
  )
}
