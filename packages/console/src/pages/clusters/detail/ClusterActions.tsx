import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import {
  type queryClusterPlugin,
  removeClusterPlugin,
  revealClusterCredential,
  updateClusterConfig,
} from '@wharf/contract'
import { useState } from 'react'
import { go, linkTo } from '../../../frame/route.ts'
import { Confirm } from '../../../parts/Confirm.tsx'
import { useRefusal } from '../../../parts/permission.ts'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import type { Configuration } from '../configuration.ts'
import { OnceShown } from './OnceShown.tsx'
import { RemoveCluster } from './RemoveCluster.tsx'
import { words } from './words.ts'

interface ClusterActionsProps {
  readonly plugin: RecordOf<typeof queryClusterPlugin>
  readonly configuration: Configuration | undefined
  /** Of its package. */
  readonly status: string | undefined
  readonly isBusy: boolean
}

export function ClusterActions({ plugin, configuration, status, isBusy }: ClusterActionsProps) {
  const { uuid = '', name = '' } = plugin
  const say = useWords(words)
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
        disabledReason={say.isRunning}
        {...refused(updateClusterConfig)}
        onClick={() => (isFormed ? setAsks('repeat') : go(linkTo(['clusters', uuid, 'configure'])))}
      >
        {isFormed ? say.repeat : configuration ? say.configureAgain : say.configure}
      </Button>
      <Button
        disabled={configuration === undefined}
        disabledReason={say.notRevealable}
        {...refused(revealClusterCredential)}
        onClick={() => setAsks('reveal')}
      >
        {say.reveal}
      </Button>
      <Button {...refused(removeClusterPlugin)} onClick={() => setAsks('remove')}>
        {say.remove}
      </Button>
      {asks === 'repeat' && configuration ? (
        <Confirm
          title={say.repeatTitle(name)}
          consequences={say.repeatMeans}
          action={say.repeat}
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
          title={say.revealTitle}
          consequences={say.revealMeans}
          action={say.reveal}
          onConfirm={async () => setSecret(await wharf.clusterPlugins.revealCredential(uuid))}
          onDismiss={dismiss}
        />
      ) : null}
      {asks === 'remove' ? <RemoveCluster uuid={uuid} name={name} isBusy={isBusy} onDismiss={dismiss} /> : null}
      {secret ? (
        <OnceShown
          values={[
            { label: say.username2, text: secret.username },
            { label: say.password, text: secret.password ?? '' },
          ]}
          onDismiss={() => setSecret(undefined)}
        />
      ) : null}
    </SpaceBetween>
  )
}
