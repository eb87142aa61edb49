import Tabs from '@cloudscape-design/components/tabs'
import type { Route } from '../../browser/route.ts'
import { linkTo, navigate } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { AccountDetail } from './AccountDetail.tsx'
import { AccountTable } from './AccountTable.tsx'
import { messages } from './messages.ts'
import { UserTable } from './UserTable.tsx'

/** `#/accounts`, `#/accounts/users`, `#/accounts/<uuid>` */
export default function Accounts({ path: [place], search }: Route) {
  const t = useMessages(messages)
  if (place !== undefined && place !== 'users') return <AccountDetail uuid={place} />
  return (
    <Tabs
      ariaLabel={t.title}
      activeTabId={place ?? 'accounts'}
      onChange={({ detail }) => navigate(detail.activeTabHref ?? linkTo(['accounts']))}
      tabs={[
        { id: 'accounts', label: t.title, href: linkTo(['accounts']), content: <AccountTable search={search} /> },
        { id: 'users', label: t.users, href: linkTo(['accounts', 'users']), content: <UserTable search={search} /> },
      ]}
    />
  )
}
