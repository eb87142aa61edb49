import Tabs from '@cloudscape-design/components/tabs'
import type { Route } from '../../browser/route.ts'
import { linkTo, navigate } from '../../browser/route.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { KeyTable } from './KeyTable.tsx'
import { messages } from './messages.ts'
import { SigningPlayground } from './SigningPlayground.tsx'

/** `#/access-keys`, `#/access-keys/sign` */
export default function AccessKeys({ path: [place], search }: Route) {
  const t = useMessages(messages)
  return (
    <Tabs
      ariaLabel={t.title}
      activeTabId={place === 'sign' ? 'sign' : 'keys'}
      onChange={({ detail }) => navigate(detail.activeTabHref ?? linkTo(['access-keys']))}
      tabs={[
        { id: 'keys', label: t.title, href: linkTo(['access-keys']), content: <KeyTable search={search} /> },
        { id: 'sign', label: t.sign, href: linkTo(['access-keys', 'sign']), content: <SigningPlayground /> },
      ]}
    />
  )
}
