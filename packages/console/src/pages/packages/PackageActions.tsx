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
import { linkTo, navigate } from '../../browser/route.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { useHostRefusal, useRefusal } from '../../components/permission.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { InstallDialog } from './install/InstallDialog.tsx'
import { messages } from './messages.ts'
import type { PackageRecord } from './package-record.ts'

const ofAnInstalled: readonly PackageStatus[] = allowed.uninstall

export function PackageActions({ record }: { record: PackageRecord }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const refused = useRefusal()
  const [asked, setAsked] = useState<'install' | 'uninstall' | 'delete'>()
  const { uuid, name, status } = record
  const hostUuid = record.hostUuid ?? ''
  const hosts = useApiQuery(queryHost, { q: [`uuid=${hostUuid}`] }, { enabled: hostUuid !== '' })
  const onHost = useHostRefusal()(hosts.data?.inventories?.[0])
  const busy = useApiQuery(queryApiJob, {
    q: [`subjectUuid=${uuid}`, 'state?=Waiting,Running,Undoing'],
    count: true,
  })
  const isBusy = (busy.data?.total ?? 0) > 0
  const refusal = (action: 'install' | 'uninstall') => {
    const from: readonly PackageStatus[] = allowed[action]
    const reason = t.notAllowed(status, from.join(t.or))
    return from.includes(status) ? {} : { disabled: true, disabledReason: reason }
  }
  const dismiss = (): void => setAsked(undefined)
  const means = [
    t.deleteMeans,
    record.hostUuid && ofAnInstalled.includes(status) ? t.deleteInstalled : '',
    record.type === 'Migrate' && ofAnInstalled.includes(status) ? t.deleteMigrate : '',
    isBusy || status === 'Uploading' ? t.deleteBusy : '',
  ].filter(Boolean)
  const remove = async (): Promise<void> => {
    const deleteMode = isBusy || record.type === 'Migrate' ? 'Enforcing' : 'Permissive'
    await wharf.softwarePackages.delete(uuid, { deleteMode })
    navigate(linkTo(['packages']))
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
          {t.install}
        </Button>
        <Button
          {...refusal('uninstall')}
          {...onHost}
          {...refused(uninstallSoftwarePackage)}
          onClick={() => setAsked('uninstall')}
        >
          {t.uninstall}
        </Button>
        <Button
          disabled={status === 'Initializing'}
          disabledReason={t.initializing}
          {...onHost}
          {...refused(deleteSoftwarePackage)}
          onClick={() => setAsked('delete')}
        >
          {t.delete}
        </Button>
      </SpaceBetween>
      {asked === 'install' ? <InstallDialog record={record} onDismiss={dismiss} /> : null}
      {asked === 'uninstall' ? (
        <Confirm
          title={t.uninstallTitle(name)}
          consequences={t.uninstallMeans}
          action={t.uninstall}
          // its log follows on this page
          onConfirm={() => wharf.start(uninstallSoftwarePackage, { uuid })}
          onDismiss={dismiss}
        />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={t.deleteTitle(name)}
          consequences={means.map((sentence) => <p key={sentence}>{sentence}</p>)}
          action={t.delete}
          name={name}
          onConfirm={remove}
          onDismiss={dismiss}
        />
      ) : null}
    </>
  )
}
