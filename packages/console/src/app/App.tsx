import { Suspense, useEffect } from 'react'
import { useReturnedSignIn } from '../data/oidc-sign-in.ts'
import { type Session, useSession } from '../data/session.ts'
import { useMessages } from '../i18n/use-messages.ts'
import '../browser/appearance.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { lazyPart } from './lazy-page.ts'
import { messages } from './messages.ts'
import { SignIn } from './SignIn.tsx'
import { skipToHeading } from './use-heading.ts'

// both follow the sign-in form, so that it works early on a slow line
const TopBar = lazyPart<object>(() => import('./TopBar.tsx').then(({ TopBar }) => ({ default: TopBar })))
const loadSignedIn = () => import('./SignedIn.tsx')
const SignedIn = lazyPart<{ session: Session }>(loadSignedIn)

export function App() {
  const t = useMessages(messages)
  const session = useSession()
  const { isBusy: isSigningIn } = useReturnedSignIn()
  useEffect(() => {
    // while the user types; a failure is reported when the chunk is needed
    loadSignedIn().catch(() => {})
  }, [])
  return (
    <>
      <nav className="skip" aria-label={t.shortcuts}>
        <button type="button" onClick={skipToHeading}>
          {t.skip}
        </button>
      </nav>
      <div id="top">
        <ErrorBoundary>
          <Suspense fallback={<div className="shell-bar" />}>
            <TopBar />
          </Suspense>
        </ErrorBoundary>
      </div>
      {session && !isSigningIn ? (
        <ErrorBoundary>
          <Suspense fallback={<div className="shell-spinner" />}>
            <SignedIn session={session} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <SignIn />
      )}
    </>
  )
}
