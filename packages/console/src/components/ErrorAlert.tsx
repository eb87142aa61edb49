import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { WharfError } from '@wharf/sdk'
import { type ReactNode, useEffect, useState } from 'react'
import { useSession } from '../data/session.ts'
import { useLanguage } from '../i18n/language.tsx'
import { useMessages } from '../i18n/use-messages.ts'
import { hintBeforeSignIn, quoted, withoutRequest } from './error-text.ts'
import { errorTitle } from './error-titles.ts'
import { messages } from './messages.ts'

interface ErrorAlertProps {
  readonly error: unknown
  /** Replaces the code and its description. */
  readonly header?: string
  /** Above the code and its description: what has failed. */
  readonly title?: string
  /** Below the text. */
  readonly children?: ReactNode
}

/** Shows the code and the text of an error, a hint, and a copy button for a support request. */
export function ErrorAlert({ error, header, title, children }: ErrorAlertProps) {
  const t = useMessages(messages)
  const { language } = useLanguage()
  const known = error instanceof WharfError ? error : undefined
  const remedy = useRemedy(error) ?? (known && hintBeforeSignIn(known, t.beforeSignIn))
  const text = error instanceof Error ? error.message : String(error)
  const heading = header ?? (known ? errorTitle(known, language) : t.failed)
  return (
    // announced by screen readers
    <div role="alert">
      <Alert
        type="error"
        header={title ?? heading}
        action={
          <CopyToClipboard
            variant="icon"
            textToCopy={quoted(error)}
            copyButtonAriaLabel={t.copy}
            copySuccessText={t.copied}
            copyErrorText={text}
          />
        }
      >
        <SpaceBetween size="xs">
          {title ? <Box fontWeight="bold">{heading}</Box> : null}
          <div className="error-text">{known ? withoutRequest(known) : text}</div>
          {remedy ? (
            <Box>
              <strong>{t.remedy}</strong> {remedy}
            </Box>
          ) : null}
          {children}
          {known?.requestId || known?.jobUuid ? (
            <Box variant="small" color="text-body-secondary">
              {[known.requestId && `${t.request} ${known.requestId}`, known.jobUuid && `${t.job} ${known.jobUuid}`]
                .filter(Boolean)
                .join(' · ')}
            </Box>
          ) : null}
        </SpaceBetween>
      </Alert>
    </div>
  )
}

/** The explanation of the catalogue, loaded from the server, which refuses it before the sign-in. */
export function useRemedy(error: unknown): string | undefined {
  const { language } = useLanguage()
  const isSignedIn = useSession() !== undefined
  const [remedy, setRemedy] = useState<string>()
  useEffect(() => {
    setRemedy(undefined)
    if (!isSignedIn || !(error instanceof WharfError)) return
    let isCurrent = true
    void error.elaboration(language).then((found) => isCurrent && setRemedy(found?.text))
    return () => {
      isCurrent = false
    }
  }, [error, language, isSignedIn])
  return remedy
}
