import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { Component, type ReactNode } from 'react'
import { ErrorAlert } from '../components/ErrorAlert.tsx'
import { useMessages } from '../i18n/use-messages.ts'
import { PageLoadError } from './lazy-page.ts'
import { messages } from './messages.ts'
import { ReloadNotice } from './ReloadNotice.tsx'

/** Contains the failure of a page: navigation and notifications stay usable. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return error instanceof PageLoadError ? <ReloadNotice /> : <PageError error={error} />
  }
}

function PageError({ error }: { error: unknown }) {
  const t = useMessages(messages)
  return (
    <SpaceBetween size="m">
      <ErrorAlert error={error} header={t.pageFailed} />
      <Button onClick={() => location.reload()}>{t.reload}</Button>
    </SpaceBetween>
  )
}
