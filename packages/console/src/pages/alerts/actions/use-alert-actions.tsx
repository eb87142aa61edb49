import { acknowledgeThirdpartyAlert, silenceThirdpartyAlert, unsilenceThirdpartyAlert } from '@wharf/contract'
import { useNow } from '../../../browser/use-now.ts'
import type { RecordAction } from '../../../components/RecordActions.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { AcknowledgeAlert } from './AcknowledgeAlert.tsx'
import { type Alert, isSilenced } from './alert-state.ts'
import { messages } from './messages.ts'
import { SilenceAlert } from './SilenceAlert.tsx'

/** What a user can do with an alert. */
export function useAlertActions(): (alert: Alert) => RecordAction[] {
  const t = useMessages(messages)
  // no event reports the end of a silence
  const now = useNow(10_000)
  const { alerts } = useWharf()
  return (alert) => {
    const { uuid = '', name = '', status } = alert
    return [
      {
        label: t.acknowledge,
        operation: acknowledgeThirdpartyAlert,
        disabledReason: status === 'resolved' ? t.isResolved : undefined,
        dialog: (onDismiss) => <AcknowledgeAlert uuid={uuid} name={name} onDismiss={onDismiss} />,
      },
      {
        label: t.silence,
        operation: silenceThirdpartyAlert,
        dialog: (onDismiss) => <SilenceAlert uuid={uuid} name={name} onDismiss={onDismiss} />,
      },
      ...(isSilenced(alert, now)
        ? [
            {
              label: t.unsilence,
              operation: unsilenceThirdpartyAlert,
              call: { operation: unsilenceThirdpartyAlert, input: { uuid } },
              run: () => alerts.unsilence(uuid),
            },
          ]
        : []),
    ]
  }
}
