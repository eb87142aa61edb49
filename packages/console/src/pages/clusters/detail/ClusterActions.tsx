import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import {
  type queryClusterPlugin,
  removeClusterPlugin,
  revealClusterCredential,
  updateClusterConfig,
} from '@wharf/contract'
import { useState } from 'react'
import { linkTo, navigate } from '../../../browser/route.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { useRefusal } from '../../../components/permission.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { SecretOnce } from '../../../components/SecretOnce.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/messages.ts'
import type { Configuration } from '../configuration.ts'
import { messages } from './messages.ts'
import { RemoveCluster } from './RemoveCluster.tsx'

interface ClusterActionsProps {
  readonly plugin: RecordOf<typeof queryClusterPlugin>
  readonly configuration: Configuration | undefined
  /** Of its package. */
  readonly status: string | undefined
  readonly isBusy: boolean
}

export function ClusterActions({ plugin, configuration, status, isBusy }: ClusterActionsProps) {
  const { uuid = '', name = '' } = plugin
  const t = useMessages(messages)
  const wharf = useWharf()
  const refused = useRefusal()
  const [asks, setAsks] = useState<'repeat' | 'reveal' | 'remove'>()
  const [secret, setSecret] = useState<{ username: string; password: string | null }>()
  const isFormed = status === 'Initialized'
  const dismiss = (): void => setAsks(undefined)
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button
        disabled={isBusy}
        disabledReason={t.isRunning}
        {...refused(updateClusterConfig)}
        onClick={() => (isFormed ? setAsks('repeat') : navigate(linkTo(['clusters', uuid, 'configure'])))}
      >
        {isFormed ? t.repeat : configuration ? t.configureAgain : t.configure}
      </Button>
      <Button
        disabled={configuration === undefined}
        disabledReason={t.notRevealable}
        {...refused(revealClusterCredential)}
        onClick={() => setAsks('reveal')}
      >
        {t.reveal}
      </Button>
      <Button {...refused(removeClusterPlugin)} onClick={() => setAsks('remove')}>
        {t.remove}
      </Button>
      {asks === 'repeat' && configuration ? (
        <Confirm
          title={t.repeatTitle(name)}
          consequences={t.repeatMeans}
          action={t.repeat}
          onConfirm={() =>
            wharf.start(updateClusterConfig, {
              ...configuration,
              otherManagementIp: [...configuration.otherManagementIp],
              otherStorageIp: [...configuration.otherStorageIp],
              uuid,
            })
          }
          onDismiss={dismiss}
        />
      ) : null}
      {asks === 'reveal' ? (
        <Confirm
          title={t.revealTitle}
          consequences={t.revealMeans}
          action={t.reveal}
          onConfirm={async () => setSecret(await wharf.clusterPlugins.revealCredential(uuid))}
          onDismiss={dismiss}
        />
      ) : null}
      {asks === 'remove' ? <RemoveCluster uuid={uuid} name={name} isBusy={isBusy} onDismiss={dismiss} /> : null}
      {secret ? (
        <SecretOnce
          values={[
            { label: t.username2, text: secret.username },
            { label: t.password, text: secret.password ?? '' },
          ]}
          onDismiss={() => setSecret(undefined)}
        />
      ) : null}
    </SpaceBetween>
  )
}
