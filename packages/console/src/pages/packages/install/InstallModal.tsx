import Box from '@cloudscape-design/components/box'
import { installSoftwarePackage } from '@wharf/contract'
import { type ReactNode, useState } from 'react'
import { ModalForm } from '../../../parts/ModalForm.tsx'
import { useInvalidFocus } from '../../../parts/use-invalid-focus.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import type { PackageRecord } from '../package-record.ts'
import { makesVm } from './config-schema.ts'
import { words } from './words.ts'

interface InstallModalProps {
  readonly record: PackageRecord
  /** The configuration, or undefined when the form is not ready and says why. */
  readonly configOf: () => { readonly config: string | undefined } | undefined
  readonly onRefused?: (error: unknown) => void
  readonly onDismiss: () => void
  readonly children: ReactNode
}

/** What both ways of installing have in common. It closes when the job has begun; what is refused before is shown. */
export function InstallModal({ record, configOf, onRefused, onDismiss, children }: InstallModalProps) {
  const say = useWords(words)
  const wharf = useWharf()
  const invalid = useInvalidFocus()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const install = async (): Promise<void> => {
    const ready = configOf()
    if (ready === undefined) return invalid.tell()
    setBusy(true)
    setFailure(undefined)
    try {
      await wharf.start(installSoftwarePackage, { uuid: record.uuid, config: ready.config })
      onDismiss()
    } catch (error) {
      setFailure(error)
      setBusy(false)
      onRefused?.(error)
      invalid.tell()
    }
  }
  return (
    <ModalForm
      title={say.title(record.name)}
      size="medium"
      action={say.install}
      isBusy={isBusy}
      failure={failure}
      form={invalid.form}
      onSubmit={install}
      onDismiss={onDismiss}
    >
      <Box>{makesVm(record.type) ? say.makesVm : say.intro}</Box>
      {children}
    </ModalForm>
  )
}
