import AppLayout from '@cloudscape-design/components/app-layout'
import Spinner from '@cloudscape-design/components/spinner'
import { Suspense } from 'react'
import { useSession } from '../wharf/session.ts'
import { WharfProvider } from '../wharf/wharf.tsx'
import { useWords } from '../words/words.ts'
import { Broken } from './Broken.tsx'
import { HelpPanel } from './Help.tsx'
import { Navigation } from './Navigation.tsx'
import { Notifications } from './Notifications.tsx'
import { Nowhere } from './Nowhere.tsx'
import { pages } from './pages.ts'
import { useRoute } from './route.ts'
import { SignIn } from './SignIn.tsx'
import { TopBar } from './TopBar.tsx'
import { words } from './words.ts'

export function App() {
  const session = useSession()
  return (
    <>
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
  const Page = Object.hasOwn(pages, name) ? pages[name as keyof typeof pages] : undefined
  return (
    <AppLayout
      headerSelector="#top"
      navigation={<Navigation page={name} />}
      notifications={<Notifications />}
      tools={<HelpPanel page={name} />}
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
