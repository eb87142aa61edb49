import AppLayout from '@cloudscape-design/components/app-layout'
import Spinner from '@cloudscape-design/components/spinner'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useIsLeaving } from '../browser/leave-guard.ts'
import { linkTo, usePath, useRoute } from '../browser/route.ts'
import { DeletedNotice } from '../components/DeletedNotice.tsx'
import { type Session, useEndedSession, useEnteredPassword } from '../data/session.ts'
import { WharfProvider } from '../data/wharf-context.tsx'
import { messages as notificationMessages } from '../features/notifications/messages.ts'
import { notificationPanel, useNotificationPanel } from '../features/notifications/panel-state.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { BootstrapPassword } from './BootstrapPassword.tsx'
import { Breadcrumbs } from './Breadcrumbs.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { FindDialogs } from './find/FindDialogs.tsx'
import { HelpPanel } from './HelpPanel.tsx'
import { LeaveConfirmation } from './LeaveConfirmation.tsx'
import { prefetchPages } from './lazy-page.ts'
import { messages } from './messages.ts'
import { Navigation } from './Navigation.tsx'
import { Notifications } from './Notifications.tsx'
import { pages } from './pages.ts'
import { SessionRenewal } from './SessionRenewal.tsx'
import { SignOutConfirmation } from './SignOutConfirmation.tsx'
import { useIsSigningOut } from './sign-out-request.ts'
import { usePageTitle } from './use-page-title.ts'

const EnrolledAtSignIn = lazy(() => import('./EnrolledAtSignIn.tsx'))
const NotificationPanel = lazy(() => import('../features/notifications/NotificationPanel.tsx'))

/** What a signed-in user sees below the top bar; another user starts with new pages. */
export default function SignedIn({ session: { userUuid } }: { session: Session }) {
  return (
    <WharfProvider key={userUuid} userUuid={userUuid}>
      <Frame />
      <FindDialogs />
      <Questions />
    </WharfProvider>
  )
}

function Frame() {
  const t = useMessages(messages)
  const [name = 'overview'] = usePath()
  const place = usePageTitle()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const hasNotifications = useNotificationPanel()
  const notifications = useMessages(notificationMessages)
  useEffect(prefetchPages, [])
  useEffect(() => () => notificationPanel.set(false), [])
  return (
    <AppLayout
      headerSelector="#top"
      maxContentWidth={Number.MAX_VALUE}
      navigation={<Navigation page={name} />}
      breadcrumbs={<Breadcrumbs {...place} />}
      notifications={<Notifications />}
      // one panel: the notification centre replaces the help while it is open
      tools={
        hasNotifications ? (
          <Suspense fallback={<Spinner />}>
            <NotificationPanel />
          </Suspense>
        ) : (
          <HelpPanel page={name} isOpen={isHelpOpen} />
        )
      }
      toolsOpen={isHelpOpen || hasNotifications}
      onToolsChange={({ detail }) => {
        setHelpOpen(detail.open)
        if (!detail.open) notificationPanel.set(false)
      }}
      ariaLabels={{
        navigation: t.navigation,
        notifications: t.notifications,
        tools: hasNotifications ? notifications.title : t.help,
      }}
      content={<Content />}
    />
  )
}

function Content() {
  const { path, search } = useRoute()
  const [name = 'overview', ...rest] = path
  const Page = Object.hasOwn(pages, name) ? pages[name as keyof typeof pages] : undefined
  return (
    <ErrorBoundary key={path.join('/')}>
      <Suspense fallback={<Spinner size="large" />}>
        {Page ? <Page path={rest} search={search} /> : <NotFound />}
      </Suspense>
    </ErrorBoundary>
  )
}

/** The dialogs that any page can cause. Not loaded lazily: the server may be unreachable when they are needed. */
function Questions() {
  const endedSession = useEndedSession()
  const entered = useEnteredPassword()
  return (
    <>
      {entered === undefined ? null : entered.hasEnrolled ? (
        <Suspense fallback={null}>
          <EnrolledAtSignIn password={entered.password} />
        </Suspense>
      ) : (
        <BootstrapPassword oldPassword={entered.password} />
      )}
      {endedSession ? <SessionRenewal session={endedSession} /> : null}
      {useIsSigningOut() ? <SignOutConfirmation /> : null}
      {useIsLeaving() ? <LeaveConfirmation /> : null}
    </>
  )
}

function NotFound() {
  const t = useMessages(messages)
  return <DeletedNotice text={t.notFound} href={linkTo(['overview'])} toList={t.toOverview} />
}
