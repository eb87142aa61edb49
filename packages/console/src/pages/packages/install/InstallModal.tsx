import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { installSoftwarePackage } from '@wharf/contract'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Failure } from '../../../parts/Failure.tsx'
import { useInvalidFocus } from '../../../parts/use-invalid-focus.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import type { PackageRecord } from '../PackageDetail.tsx'
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
  const id = useId()
  const invalid = useInvalidFocus()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const install = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
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
    <Modal
      visible
      size="medium"
      header={say.title(record.name)}
      onDismiss={onDismiss}
      closeAriaLabel={say.close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onDismiss}>
              {say.cancel}
            </Button>
            <Button variant="primary" form={id} formAction="submit" loading={isBusy}>
              {say.install}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form id={id} ref={invalid.form} onSubmit={(event) => void install(event)}>
        <SpaceBetween size="l">
          <Box>{makesVm(record.type) ? say.makesVm : say.intro}</Box>
          {children}
          {/* beside the button that was pressed: a long form has scrolled its beginning away */}
          {failure ? <Failure error={failure} /> : null}
        </SpaceBetween>
      </form>
    </Modal>
  )
}
