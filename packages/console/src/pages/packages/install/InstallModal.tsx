import Box from '@cloudscape-design/components/box'
import { installSoftwarePackage } from '@wharf/contract'
import { type ReactNode, useState } from 'react'
import { useInvalidFocus } from '../../../browser/use-invalid-focus.ts'
import { FormModalLayout } from '../../../components/FormModalLayout.tsx'
import type { DraftState } from '../../../components/use-form-draft.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { PackageRecord } from '../package-record.ts'
import { createsVm } from './config-schema.ts'
import { messages } from './messages.ts'

interface InstallModalProps {
  readonly record: PackageRecord
  readonly draft: DraftState
  /** Returns undefined if the form is invalid; the form then shows its problems. */
  readonly configOf: () => { readonly config: string | undefined } | undefined
  /** The configuration to copy in a command; undefined if there is none. */
  readonly shownConfig: string | undefined
  readonly onRefused?: (error: unknown) => void
  readonly onDismiss: () => void
  readonly children: ReactNode
}

/** The modal of both install forms. Closes when the job starts, and shows a rejection. */
export function InstallModal(props: InstallModalProps) {
  const { record, draft, configOf, shownConfig, onRefused, onDismiss, children } = props
  const t = useMessages(messages)
  const wharf = useWharf()
  const invalid = useInvalidFocus()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const install = async (): Promise<void> => {
    const ready = configOf()
    if (ready === undefined) return invalid.focus()
    setBusy(true)
    setFailure(undefined)
    try {
      await wharf.start(installSoftwarePackage, { uuid: record.uuid, config: ready.config })
      draft.discard()
      onDismiss()
    } catch (error) {
      setFailure(error)
      setBusy(false)
      onRefused?.(error)
      invalid.focus()
    }
  }
  return (
    <FormModalLayout
      title={t.title(record.name)}
      size="medium"
      action={t.install}
      isBusy={isBusy}
      draft={draft}
      failure={failure}
      form={invalid.form}
      call={{ operation: installSoftwarePackage, input: { uuid: record.uuid, config: shownConfig } }}
      onSubmit={install}
      onDismiss={onDismiss}
    >
      <Box>{createsVm(record.type) ? t.createsVm : t.intro}</Box>
      {children}
    </FormModalLayout>
  )
}
