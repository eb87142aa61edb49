import {
  allowed,
  deleteSoftwarePackage,
  installSoftwarePackage,
  type PackageStatus,
  queryApiJob,
  queryHost,
  uninstallSoftwarePackage,
} from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { useHostRefusal } from '../../components/permission.ts'
import type { RecordAction } from '../../components/RecordActions.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { InstallDialog } from './install/InstallDialog.tsx'
import { messages } from './messages.ts'
import type { PackageRecord } from './package-record.ts'

const installedStatuses: readonly PackageStatus[] = allowed.uninstall

/** The actions of the package with this uuid, once its record is loaded. */
export function usePackageActions(uuid: string, hostUuid = ''): (record: PackageRecord) => RecordAction[] {
  const t = useMessages(messages)
  const wharf = useWharf()
  const hosts = useApiQuery(queryHost, { q: [`uuid=${hostUuid}`] }, { enabled: hostUuid !== '' })
  const hostReason = useHostRefusal()(hosts.data?.inventories?.[0])?.disabledReason
  const jobs = useApiQuery(queryApiJob, { q: [`subjectUuid=${uuid}`, 'state?=Waiting,Running,Undoing'], count: true })
  const isBusy = (jobs.data?.total ?? 0) > 0
  return (record) => {
    const { name, status, type } = record
    const statusReason = (action: 'install' | 'uninstall'): string | undefined => {
      const from: readonly PackageStatus[] = allowed[action]
      return from.includes(status) ? undefined : t.notAllowed(status, from.join(t.or))
    }
    const isInstalled = installedStatuses.includes(status)
    const consequences = [
      t.deleteMeans,
      record.hostUuid && isInstalled ? t.deleteInstalled : '',
      type === 'Migrate' && isInstalled ? t.deleteMigrate : '',
      isBusy || status === 'Uploading' ? t.deleteBusy : '',
    ].filter(Boolean)
    return [
      {
        label: t.install,
        isPrimary: true,
        operation: installSoftwarePackage,
        // the host of a package on backup storage is chosen in the dialog
        disabledReason: (record.managementNodeUuid ? hostReason : undefined) ?? statusReason('install'),
        dialog: (onDismiss) => <InstallDialog record={record} onDismiss={onDismiss} />,
      },
      {
        label: t.uninstall,
        operation: uninstallSoftwarePackage,
        disabledReason: hostReason ?? statusReason('uninstall'),
        confirm: { title: t.uninstallTitle(name), consequences: t.uninstallMeans },
        // does not wait for the job: its log is shown on this page
        run: () => wharf.start(uninstallSoftwarePackage, { uuid }),
      },
      {
        label: t.delete,
        operation: deleteSoftwarePackage,
        disabledReason: hostReason ?? (status === 'Initializing' ? t.initializing : undefined),
        confirm: {
          title: t.deleteTitle(name),
          consequences: consequences.map((sentence) => <p key={sentence}>{sentence}</p>),
          name,
        },
        run: async () => {
          const deleteMode = isBusy || type === 'Migrate' ? 'Enforcing' : 'Permissive'
          await wharf.softwarePackages.delete(uuid, { deleteMode })
          navigate(linkTo(['packages']))
        },
      },
    ]
  }
}
