import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import {
  allowed,
  deleteSoftwarePackage,
  installSoftwarePackage,
  type PackageStatus,
  queryApiJob,
  queryHost,
  uninstallSoftwarePackage,
} from '@wharf/contract'
import { useState } from 'react'
import { go, linkTo } from '../../frame/route.ts'
import { Confirm } from '../../parts/Confirm.tsx'
import { useHostRefusal, useRefusal } from '../../parts/permission.ts'
import { useAnswer } from '../../wharf/answers.ts'
import { useWharf } from '../../wharf/wharf.tsx'
import { useWords } from '../../words/words.ts'
import { InstallDialog } from './install/InstallDialog.tsx'
import type { PackageRecord } from './package-record.ts'
import { words } from './words.ts'

const ofAnInstalled: readonly PackageStatus[] = allowed.uninstall

export function PackageActions({ record }: { record: PackageRecord }) {
  const say = useWords(words)
  const wharf = useWharf()
  const refused = useRefusal()
  const [asked, setAsked] = useState<'install' | 'uninstall' | 'delete'>()
  const { uuid, name, status } = record
  const hostUuid = record.hostUuid ?? ''
  const hosts = useAnswer(queryHost, { q: [`uuid=${hostUuid}`] }, { enabled: hostUuid !== '' })
  const onHost = useHostRefusal()(hosts.data?.inventories?.[0])
  const busy = useAnswer(queryApiJob, {
    q: [`subjectUuid=${uuid}`, 'state?=Waiting,Running,Undoing'],
    count: true,
  })
  const isBusy = (busy.data?.total ?? 0) > 0
  const refusal = (action: 'install' | 'uninstall') => {
    const from: readonly PackageStatus[] = allowed[action]
    const reason = say.notAllowed(status, from.join(say.or))
    return from.includes(status) ? {} : { disabled: true, disabledReason: reason }
  }
  const dismiss = (): void => setAsked(undefined)
  const means = [
    say.deleteMeans,
    record.hostUuid && ofAnInstalled.includes(status) ? say.deleteInstalled : '',
    record.type === 'Migrate' && ofAnInstalled.includes(status) ? say.deleteMigrate : '',
    isBusy || status === 'Uploading' ? say.deleteBusy : '',
  ].filter(Boolean)
  const remove = async (): Promise<void> => {
    const deleteMode = isBusy || record.type === 'Migrate' ? 'Enforcing' : 'Permissive'
    await wharf.softwarePackages.delete(uuid, { deleteMode })
    go(linkTo(['packages']))
  }
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs">
        <Button
          variant="primary"
          {...refusal('install')}
          // one on backup storage goes to a host that is chosen later
          {...(record.managementNodeUuid ? onHost : undefined)}
          {...refused(installSoftwarePackage)}
          onClick={() => setAsked('install')}
        >
          {say.install}
        </Button>
        <Button
          {...refusal('uninstall')}
          {...onHost}
          {...refused(uninstallSoftwarePackage)}
          onClick={() => setAsked('uninstall')}
        >
          {say.uninstall}
        </Button>
        <Button
          disabled={status === 'Initializing'}
          disabledReason={say.initializing}
          {...onHost}
          {...refused(deleteSoftwarePackage)}
          onClick={() => setAsked('delete')}
        >
          {say.delete}
        </Button>
      </SpaceBetween>
      {asked === 'install' ? <InstallDialog record={record} onDismiss={dismiss} /> : null}
      {asked === 'uninstall' ? (
        <Confirm
          title={say.uninstallTitle(name)}
          consequences={say.uninstallMeans}
          action={say.uninstall}
          // its log follows on this page
          onConfirm={() => wharf.start(uninstallSoftwarePackage, { uuid })}
          onDismiss={dismiss}
        />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={say.deleteTitle(name)}
          consequences={means.map((sentence) => <p key={sentence}>{sentence}</p>)}
          action={say.delete}
          name={name}
          onConfirm={remove}
          onDismiss={dismiss}
        />
      ) : null}
    </>
  )
}
