import {
  activeJobsQuery,
  deleteSoftwarePackage,
  installSoftwarePackage,
  queryApiJob,
  queryHost,
  querySoftwarePackage,
  rollBackSoftwarePackage,
  uninstallSoftwarePackage,
  upgradeSoftwarePackage,
  verifySoftwarePackage,
} from '@wharf/contract'
import { linkTo, navigate } from '../../browser/route.ts'
import { useHostRefusal } from '../../components/permission.ts'
import type { RecordAction } from '../../components/RecordActions.tsx'
import { useStatusNames } from '../../components/statuses/use-status-names.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { createsVm } from './install/config-schema.ts'
import { InstallDialog } from './install/InstallDialog.tsx'
import { messages } from './messages.ts'
import type { PackageRecord } from './package-record.ts'
import { deleteMode, deletionConsequences, type PackageAction, requiredStatuses } from './package-rules.ts'
import { UpgradeDialog } from './upgrade/UpgradeDialog.tsx'

/** The actions of the package with this uuid, once its record is loaded. */
export function usePackageActions(uuid: string, hostUuid = ''): (record: PackageRecord) => RecordAction[] {
  const t = useMessages(messages)
  const nameOf = useStatusNames()
  const wharf = useWharf()
  const hosts = useApiQuery(queryHost, { q: [`uuid=${hostUuid}`] }, { enabled: hostUuid !== '' })
  const hostReason = useHostRefusal()(hosts.data?.inventories?.[0])?.disabledReason
  const jobs = useApiQuery(queryApiJob, { q: [`subjectUuid=${uuid}`, activeJobsQuery], count: true })
  const isBusy = (jobs.data?.total ?? 0) > 0
  const hasEarlier = useHasEarlierVersion(hostUuid)
  return (record) => {
    const { name, status } = record
    const statusReason = (action: PackageAction): string | undefined => {
      const required = requiredStatuses(action, status)
      return required && t.notAllowed(nameOf(status), required.map(nameOf).join(t.or))
    }
    const consequences = deletionConsequences(record, isBusy).map((key) => t[key])
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
        label: t.upgrade,
        operation: upgradeSoftwarePackage,
        disabledReason: hostReason ?? statusReason('upgrade') ?? (createsVm(record.type) ? t.notUpgradable : undefined),
        dialog: (onDismiss) => <UpgradeDialog record={record} onDismiss={onDismiss} />,
      },
      {
        label: t.rollBack,
        operation: rollBackSoftwarePackage,
        disabledReason: hostReason ?? statusReason('roll back') ?? (hasEarlier ? undefined : t.noEarlierVersion),
        call: { operation: rollBackSoftwarePackage, input: { uuid } },
        confirm: { title: t.rollBackTitle(name), consequences: t.rollBackConsequences },
        run: () => wharf.start(rollBackSoftwarePackage, { uuid }),
      },
      {
        label: t.verify,
        operation: verifySoftwarePackage,
        disabledReason: hostReason ?? statusReason('verify'),
        call: { operation: verifySoftwarePackage, input: { uuid } },
        run: () => wharf.start(verifySoftwarePackage, { uuid }),
      },
      {
        label: t.uninstall,
        operation: uninstallSoftwarePackage,
        disabledReason: hostReason ?? statusReason('uninstall'),
        call: { operation: uninstallSoftwarePackage, input: { uuid } },
        confirm: {
          title: t.uninstallTitle(name),
          consequences: t.uninstallConsequences,
        },
        // does not wait for the job: its log is shown on this page
        run: () => wharf.start(uninstallSoftwarePackage, { uuid }),
      },
      {
        label: t.delete,
        operation: deleteSoftwarePackage,
        disabledReason: hostReason ?? (status === 'Initializing' ? t.initializing : undefined),
        call: { operation: deleteSoftwarePackage, input: { uuid, deleteMode: deleteMode(record, isBusy) } },
        confirm: {
          title: t.deleteTitle(name),
          consequences: consequences.map((sentence) => <p key={sentence}>{sentence}</p>),
          name,
        },
        run: async () => {
          await wharf.softwarePackages.delete(uuid, { deleteMode: deleteMode(record, isBusy) })
          navigate(linkTo(['packages']))
        },
      },
    ]
  }
}

/** Whether a version that can be restored may be on the host: an earlier one is Uploaded there. */
function useHasEarlierVersion(hostUuid: string): boolean {
  const q = [`hostUuid=${hostUuid}`, 'status=Uploaded', 'unzipInstallPath is not null']
  const { data } = useApiQuery(querySoftwarePackage, { q, count: true }, { enabled: hostUuid !== '' })
  return data === undefined || (data.total ?? 0) > 0
}
