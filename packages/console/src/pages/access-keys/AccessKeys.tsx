import Tabs from '@cloudscape-design/components/tabs'
import type { PageProps } from '../../frame/page-props.ts'
import { go, linkTo } from '../../frame/route.ts'
import { useWords } from '../../words/words.ts'
import { KeyTable } from './KeyTable.tsx'
import { SigningPlayground } from './SigningPlayground.tsx'
import { words } from './words.ts'

/** `#/access-keys`, `#/access-keys/sign` */
export default function AccessKeys({ path: [place], search }: PageProps) {
  const say = useWords(words)
  return (
    <Tabs
      ariaLabel={say.title}
      activeTabId={place === 'sign' ? 'sign' : 'keys'}
      onChange={({ detail }) => go(detail.activeTabHref ?? linkTo(['access-keys']))}
      tabs={[
        { id: 'keys', label: say.title, href: linkTo(['access-keys']), content: <KeyTable search={search} /> },
        { id: 'sign', label: say.sign, href: linkTo(['access-keys', 'sign']), content: <SigningPlayground /> },
      ]}
    />
  )
}
