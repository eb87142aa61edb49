import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ReactNode, useState } from 'react'
import { useWords } from '../words/words.ts'
import { Failure } from './Failure.tsx'
import { words } from './words.ts'

interface ConfirmProps {
  readonly title: string
  /** What happens, and what does not. */
  readonly consequences: ReactNode
  readonly action: string
  /** Has to be typed, where a mistake cannot be taken back. */
  readonly name?: string
  readonly onConfirm: () => Promise<unknown>
  readonly onDismiss: () => void
}

/** Asks before something is lost, with the consequences named. Stays open, with the reason, when it did not work. */
export function Confirm({ title, consequences, action, name, onConfirm, onDismiss }: ConfirmProps) {
  const say = useWords(words)
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const confirm = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onConfirm()
      onDismiss()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <Modal
      visible
      header={title}
      onDismiss={onDismiss}
      closeAriaLabel={say.close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onDismiss}>
              {say.cancel}
            </Button>
            <Button
              variant="primary"
              loading={isBusy}
              disabled={name !== undefined && typed !== name}
              onClick={() => void confirm()}
            >
              {action}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        {failure ? <Failure error={failure} /> : null}
        <Box>{consequences}</Box>
        {name === undefined ? null : (
          <FormField label={say.typeToConfirm(name)}>
            <Input value={typed} onChange={({ detail }) => setTyped(detail.value)} />
          </FormField>
        )}
      </SpaceBetween>
    </Modal>
  )
}
