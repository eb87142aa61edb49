import Tabs from '@cloudscape-design/components/tabs'
import type { PageProps } from '../../frame/page-props.ts'
import { go, linkTo } from '../../frame/route.ts'
import { useWords } from '../../words/words.ts'
import { AccountDetail } from './AccountDetail.tsx'
import { AccountTable } from './AccountTable.tsx'
import { UserTable } from './UserTable.tsx'
import { words } from './words.ts'

/** `#/accounts`, `#/accounts/users`, `#/accounts/<uuid>` */
export default function Accounts({ path: [place], search }: PageProps) {
  const say = useWords(words)
  if (place !== undefined && place !== 'users') return <AccountDetail uuid={place} />
  return (
    <Tabs
      ariaLabel={say.title}
      activeTabId={place ?? 'accounts'}
      onChange={({ detail }) => go(detail.activeTabHref ?? linkTo(['accounts']))}
      tabs={[
        { id: 'accounts', label: say.title, href: linkTo(['accounts']), content: <AccountTable search={search} /> },
        { id: 'users', label: say.users, href: linkTo(['accounts', 'users']), content: <UserTable search={search} /> },
      ]}
    />
  )
}
