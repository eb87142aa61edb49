import AppLayout from '@cloudscape-design/components/app-layout'
import Spinner from '@cloudscape-design/components/spinner'
import { Suspense, useEffect, useState } from 'react'
import { useSession } from '../wharf/session.ts'
import { WharfProvider } from '../wharf/wharf.tsx'
import { useWords } from '../words/words.ts'
import { Broken } from './Broken.tsx'
import { fetchBeforehand } from './fetched-page.ts'
import { HelpPanel } from './Help.tsx'
import { Navigation } from './Navigation.tsx'
import { Notifications } from './Notifications.tsx'
import { Nowhere } from './Nowhere.tsx'
import { pages } from './pages.ts'
import { useRoute } from './route.ts'
import { SignIn } from './SignIn.tsx'
import { TopBar } from './TopBar.tsx'
import { skipToHeading } from './use-heading.ts'
import { usePlace } from './use-place.ts'
import { WayBack } from './WayBack.tsx'
import { words } from './words.ts'

export function App() {
  const say = useWords(words)
  const session = useSession()
  return (
    <>
      <nav className="skip" aria-label={say.skipping}>
        <button type="button" onClick={skipToHeading}>
          {say.skip}
        </button>
      </nav>
      <div id="top">
        <TopBar />
      </div>
      {session ? (
        <WharfProvider session={session}>
          <Inside />
        </WharfProvider>
      ) : (
        <SignIn />
      )}
    </>
  )
}

function Inside() {
  const say = useWords(words)
  const { path, search } = useRoute()
  const [name = 'overview', ...rest] = path
  const place = usePlace()
  const [isHelpOpen, setHelpOpen] = useState(false)
  useEffect(fetchBeforehand, [])
  const Page = Object.hasOwn(pages, name) ? pages[name as keyof typeof pages] : undefined
  return (
    <AppLayout
      headerSelector="#top"
      navigation={<Navigation page={name} />}
      breadcrumbs={<WayBack {...place} />}
      notifications={<Notifications />}
      tools={<HelpPanel page={name} isOpen={isHelpOpen} />}
      toolsOpen={isHelpOpen}
      onToolsChange={({ detail }) => setHelpOpen(detail.open)}
      ariaLabels={{ navigation: say.navigation, notifications: say.notifications, tools: say.help }}
      content={
        <Broken key={path.join('/')}>
          <Suspense fallback={<Spinner size="large" />}>
            {Page ? <Page path={rest} search={search} /> : <Nowhere />}
          </Suspense>
        </Broken>
      }
    />
  )
}
