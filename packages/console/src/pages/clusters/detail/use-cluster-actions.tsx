import {
  type queryClusterPlugin,
  removeClusterPlugin,
  revealClusterCredential,
  type TaggedClusterConfiguration,
  updateClusterConfig,
  updateClusterPlugin,
} from '@wharf/contract'
import { type ReactNode, useState } from 'react'
import { linkTo } from '../../../browser/route.ts'
import type { RecordAction } from '../../../components/RecordActions.tsx'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { SecretOnce } from '../../../components/SecretOnce.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { EditCluster } from './EditCluster.tsx'
import { messages } from './messages.ts'
import { RemoveCluster } from './RemoveCluster.tsx'

interface ClusterState {
  readonly configuration: TaggedClusterConfiguration | undefined
  readonly packageStatus: string | undefined
  /** A job is running on the cluster. */
  readonly isBusy: boolean
}

interface ClusterActions {
  readonly actions: (cluster: RecordOf<typeof queryClusterPlugin>) => RecordAction[]
  readonly passwordDialog: ReactNode
}

export function useClusterActions({ configuration, packageStatus, isBusy }: ClusterState): ClusterActions {
  const t = useMessages(messages)
  const wharf = useWharf()
  const [secret, setSecret] = useState<{ username: string; password: string | null }>()
  const configure = {
    operation: updateClusterConfig,
    disabledReason: isBusy ? t.isRunning : undefined,
  }
  return {
    actions: ({ uuid = '', name = '' }) => [
      packageStatus === 'Initialized' && configuration
        ? {
            call: { operation: updateClusterConfig, input: { ...configuration, uuid } },
            ...configure,
            label: t.reapply,
            confirm: { title: t.reapplyTitle(name), consequences: t.reapplyConsequences },
            run: () =>
              wharf.start(updateClusterConfig, {
                ...configuration,
                otherManagementIp: [...configuration.otherManagementIp],
                otherStorageIp: [...configuration.otherStorageIp],
                uuid,
              }),
          }
        : {
            ...configure,
            label: configuration ? t.configureAgain : t.configure,
            href: linkTo(['clusters', uuid, 'configure']),
          },
      {
        label: t.reveal,
        operation: revealClusterCredential,
        disabledReason: configuration === undefined ? t.notRevealable : undefined,
        call: { operation: revealClusterCredential, input: { uuid } },
        confirm: { title: t.revealTitle, consequences: t.revealConsequences },
        run: async () => setSecret(await wharf.clusterPlugins.revealCredential(uuid)),
      },
      {
        label: t.edit,
        operation: updateClusterPlugin,
        disabledReason: isBusy ? t.isRunning : undefined,
        dialog: (onDismiss) => <EditCluster uuid={uuid} name={name} onDismiss={onDismiss} />,
      },
      {
        label: t.remove,
        operation: removeClusterPlugin,
        dialog: (onDismiss) => <RemoveCluster uuid={uuid} name={name} isBusy={isBusy} onDismiss={onDismiss} />,
      },
    ],
    passwordDialog: secret ? (
      <SecretOnce
        values={[
          { label: t.user, text: secret.username },
          { label: t.password, text: secret.password ?? '' },
        ]}
        onDismiss={() => setSecret(undefined)}
      />
    ) : null,
  }
}
