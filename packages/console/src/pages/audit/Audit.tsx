import ContentLayout from '@cloudscape-design/components/content-layout'
import Header from '@cloudscape-design/components/header'
import { queryAuditEntry } from '@wharf/contract'
import { linkTo, type Route } from '../../browser/route.ts'
import { DeletedNotice } from '../../components/DeletedNotice.tsx'
import { NotAllowed } from '../../components/NotAllowed.tsx'
import { useCaller, useRefusal } from '../../components/permission.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { EntryDetail } from './EntryDetail.tsx'
import { EntryTable } from './EntryTable.tsx'
import { History } from './History.tsx'
import { messages } from './messages.ts'

/** `#/audit`, `#/audit/<uuid>`, `#/audit/history?type=<type>&uuid=<uuid>` */
export default function Audit({ path: [place], search }: Route) {
  const t = useMessages(messages)
  const caller = useCaller()
  const refusal = useRefusal()(queryAuditEntry)
  if (caller === undefined || refusal)
    return (
      <ContentLayout header={<Header variant="h1">{t.title}</Header>}>
        <NotAllowed refusal={refusal} />
      </ContentLayout>
    )
  if (place === undefined) return <EntryTable search={search} />
  if (place === 'history') {
    const [type, uuid] = [search.get('type') ?? '', search.get('uuid')]
    if (!uuid) return <DeletedNotice text={t.historyNotFound} href={linkTo(['audit'])} toList={t.toList} />
    return <History key={`${type} ${uuid}`} type={type} uuid={uuid} />
  }
  return <EntryDetail key={place} uuid={place} />
}
