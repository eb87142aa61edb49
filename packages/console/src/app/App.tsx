import AppLayout from '@cloudscape-design/components/app-layout'
import Spinner from '@cloudscape-design/components/spinner'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useIsLeaving } from '../browser/leave-guard.ts'
import { linkTo, useRoute } from '../browser/route.ts'
import { DeletedNotice } from '../components/DeletedNotice.tsx'
import { useEndedSession, useSession } from '../data/session.ts'
import { WharfProvider } from '../data/wharf-context.tsx'
import { useMessages } from '../i18n/use-messages.ts'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { HelpPanel } from './HelpPanel.tsx'
import { prefetchPages } from './lazy-page.ts'
import { messages } from './messages.ts'
import { Navigation } from './Navigation.tsx'
import { Notifications } from './Notifications.tsx'
import { pages } from './pages.ts'
import { SignIn } from './SignIn.tsx'
import { TopBar } from './TopBar.tsx'
import { skipToHeading } from './use-heading.ts'
import { usePageTitle } from './use-page-title.ts'

const SessionRenewal = lazy(() => import('./SessionRenewal.tsx'))
const LeaveConfirmation = lazy(() => import('./LeaveConfirmation.tsx'))

export function App() {
  const t = useMessages(messages)
  const session = useSession()
  const endedSession = useEndedSession()
  const isLeaving = useIsLeaving()
  return (
    <>
      <nav className="skip" aria-label={t.shortcuts}>
        <button type="button" onClick={skipToHeading}>
          {t.skip}
        </button>
      </nav>
      <div id="top">
        <TopBar />
      </div>
      {session ? (
        // another user starts with new pages
        <WharfProvider key={session.userUuid} userUuid={session.userUuid}>
          <Inside />
        </WharfProvider>
      ) : (
        <SignIn />
      )}
      {endedSession ? (
        <Suspense>
          <SessionRenewal session={endedSession} />
        </Suspense>
      ) : null}
      {isLeaving ? (
        <Suspense>
          <LeaveConfirmation />
        </Suspense>
      ) : null}
    </>
  )
}

function Inside() {
  const t = useMessages(messages)
  const { path, search } = useRoute()
  const [name = 'overview', ...rest] = path
  const place = usePageTitle()
  const [isHelpOpen, setHelpOpen] = useState(false)
  useEffect(prefetchPages, [])
  const Page = Object.hasOwn(pages, name) ? pages[name as keyof typeof pages] : undefined
  return (
    <AppLayout
      headerSelector="#top"
      maxContentWidth={Number.MAX_VALUE}
      navigation={<Navigation page={name} />}
      breadcrumbs={<Breadcrumbs {...place} />}
      notifications={<Notifications />}
      tools={<HelpPanel page={name} isOpen={isHelpOpen} />}
      toolsOpen={isHelpOpen}
      onToolsChange={({ detail }) => setHelpOpen(detail.open)}
      ariaLabels={{ navigation: t.navigation, notifications: t.notifications, tools: t.help }}
      content={
        <ErrorBoundary key={path.join('/')}>
          <Suspense fallback={<Spinner size="large" />}>
            {Page ? <Page path={rest} search={search} /> : <NotFound />}
          </Suspense>
        </ErrorBoundary>
      }
    />
  )
}

function NotFound() {
  const t = useMessages(messages)
  return <DeletedNotice text={t.notFound} href={linkTo(['overview'])} toList={t.toOverview} />
}
