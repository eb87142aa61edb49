import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useRef } from 'react'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { DraftState } from './use-form-draft.ts'

/** Above the fields of a form whose input is from before a reload. */
export function DraftNotice({ draft: { discard } }: { draft: Pick<DraftState, 'discard'> }) {
  const t = useMessages(messages)
  const root = useRef<HTMLDivElement>(null)
  const remove = (): void => {
    // the button disappears; without another focus a keyboard would start at the top of the page
    root.current?.closest('form, main')?.querySelector<HTMLElement>('input, textarea')?.focus()
    discard()
  }
  return (
    <div ref={root}>
      <Alert
        type="info"
        header={t.draftRestored}
        action={
          <Button formAction="none" onClick={remove}>
            {t.discardDraft}
          </Button>
        }
      >
        {t.draftHelp}
      </Alert>
    </div>
  )
}
