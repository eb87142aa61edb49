import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMutation } from '@tanstack/react-query'
import type { Operation } from '@wharf/contract'
import { Fragment, type ReactNode, useState } from 'react'
import { Confirm } from './Confirm.tsx'
import { CopyAsCommand } from './copy-command/CopyAsCommand.tsx'
import type { ApiCall } from './copy-command/command-text.ts'
import { useRefusal } from './permission.ts'

interface ActionButton {
  readonly label: string
  readonly isPrimary?: boolean
  /** Disables the button for roles that may not call it. */
  readonly operation?: Pick<Operation, 'permission' | 'isForAllHosts'>
  /** Why the current state of the record does not allow the action. */
  readonly disabledReason?: string | undefined
}

/** A button runs its action, after a confirmation where one is given; or it opens a dialog or a page. */
export type RecordAction = ActionButton &
  (
    | {
        readonly run: () => Promise<unknown>
        /** What it calls, to copy as a command. */
        readonly call?: ApiCall
        readonly confirm?: {
          readonly title: string
          readonly consequences: ReactNode
          /** Must be typed before an action that cannot be undone. */
          readonly name?: string
        }
      }
    | { readonly dialog: (onDismiss: () => void) => ReactNode }
    | { readonly href: string }
  )

interface RecordActionsProps {
  readonly actions: readonly RecordAction[]
  /** Receives the error of an action that has no dialog to show it in, and undefined when an action succeeds. */
  readonly onError: (error: unknown) => void
}

export function RecordActions({ actions, onError }: RecordActionsProps) {
  const refused = useRefusal()
  const [opened, setOpened] = useState<string>()
  const running = useMutation({
    mutationFn: (action: { label: string; run: () => Promise<unknown> }) => action.run(),
    onSuccess: () => onError(undefined),
    onError,
  })
  const close = (): void => setOpened(undefined)
  // a dialog has its own
  const calls = actions.flatMap((action) =>
    'run' in action && action.call && action.confirm === undefined ? [action.call] : [],
  )
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {actions.map((action) => {
        const { label, isPrimary, operation } = action
        const disabledReason = (operation && refused(operation)?.disabledReason) ?? action.disabledReason
        const press = (): void => {
          if ('run' in action && action.confirm === undefined) running.mutate(action)
          else setOpened(label)
        }
        return (
          <Fragment key={label}>
            <Button
              variant={isPrimary ? 'primary' : 'normal'}
              loading={running.isPending && running.variables.label === label}
              disabled={disabledReason !== undefined}
              {...(disabledReason !== undefined && { disabledReason })}
              {...('href' in action ? { href: action.href } : { onClick: press })}
            >
              {label}
            </Button>
            {opened === label ? dialogOf(action) : null}
          </Fragment>
        )
      })}
      {calls.length > 0 ? <CopyAsCommand calls={calls} /> : null}
    </SpaceBetween>
  )

  function dialogOf(action: RecordAction): ReactNode {
    if ('dialog' in action) return action.dialog(close)
    if (!('run' in action) || action.confirm === undefined) return null
    return (
      <Confirm {...action.confirm} call={action.call} action={action.label} onConfirm={action.run} onDismiss={close} />
    )
  }
}
