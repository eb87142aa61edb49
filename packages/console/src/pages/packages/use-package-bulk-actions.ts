import {
  activeJobsQuery,
  deleteSoftwarePackage,
  getSoftwarePackageConfigSchema,
  installSoftwarePackage,
  queryApiJob,
  queryHost,
  uninstallSoftwarePackage,
  verifySoftwarePackage,
} from '@wharf/contract'
import { useHostRefusal } from '../../components/permission.ts'
import type { BulkAction } from '../../components/ResourceTable.tsx'
import { useStatusNames } from '../../components/statuses/use-status-names.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { createsVm } from './install/config-schema.ts'
import { messages } from './messages.ts'
import type { PackageRecord } from './package-record.ts'
import { deleteMode, deletionConsequences, type PackageAction, requiredStatuses } from './package-rules.ts'

const localHosts = { q: ['driver=local'], fields: ['uuid', 'driver'], limit: 1000 }

/** The actions of the package page, for several packages. */
export function usePackageBulkActions(): BulkAction<PackageRecord>[] {
  const t = useMessages(messages)
  const nameOf = useStatusNames()
  const wharf = useWharf()
  const local = useApiQuery(queryHost, localHosts)
  const hostRefusal = useHostRefusal()
  const hostReason = ({ hostUuid }: PackageRecord): string | undefined =>
    hostRefusal(local.data?.inventories?.find(({ uuid }) => uuid === hostUuid))?.disabledReason
  const statusReason = (action: PackageAction, { status }: PackageRecord): string | undefined => {
    const required = requiredStatuses(action, status)
    return required && t.notAllowed(nameOf(status), required.map(nameOf).join(t.or))
  }
  const install: BulkAction<PackageRecord> = {
    id: 'install',
    label: t.install,
    operation: installSoftwarePackage,
    consequences: t.bulkInstallConsequences,
    problem: (record) =>
      hostReason(record) ??
      statusReason('install', record) ??
      // its dialog chooses the host and the size of a virtual machine
      (record.hostUuid === null || createsVm(record.type) ? t.needsHost : undefined),
    prepare: async ({ uuid }, signal) => {
      const { configSchema } = await wharf.call(getSoftwarePackageConfigSchema, { uuid }, { signal })
      return configSchema === null ? { value: undefined } : { problem: t.needsConfig }
    },
    run: ({ uuid }) => wharf.call(installSoftwarePackage, { uuid }),
    inputOf: ({ uuid }) => ({ uuid }),
  }
  const uninstall: BulkAction<PackageRecord> = {
    id: 'uninstall',
    label: t.uninstall,
    operation: uninstallSoftwarePackage,
    consequences: t.uninstallConsequences,
    problem: (record) => hostReason(record) ?? statusReason('uninstall', record),
    run: ({ uuid }) => wharf.call(uninstallSoftwarePackage, { uuid }),
    inputOf: ({ uuid }) => ({ uuid }),
  }
  const verify: BulkAction<PackageRecord> = {
    id: 'verify',
    label: t.verify,
    operation: verifySoftwarePackage,
    consequences: t.verifyConsequences,
    problem: (record) => hostReason(record) ?? statusReason('verify', record),
    run: ({ uuid }) => wharf.call(verifySoftwarePackage, { uuid }),
    inputOf: ({ uuid }) => ({ uuid }),
  }
  const remove: BulkAction<PackageRecord, { isBusy: boolean }> = {
    id: 'delete',
    label: t.delete,
    operation: deleteSoftwarePackage,
    consequences: t.deleteConsequences,
    problem: (record) => hostReason(record) ?? (record.status === 'Initializing' ? t.initializing : undefined),
    prepare: async (record, signal) => {
      const q = [`subjectUuid=${record.uuid}`, activeJobsQuery]
      const { total = 0 } = await wharf.call(queryApiJob, { q, count: true }, { signal })
      const isBusy = total > 0
      // the first sentence applies to all
      const [, ...others] = deletionConsequences(record, isBusy).map((key) => t[key])
      return { value: { isBusy }, note: others.join(' ') }
    },
    inputOf: (record, { isBusy }) => ({ uuid: record.uuid, deleteMode: deleteMode(record, isBusy) }),
    run: (record, { isBusy }) => wharf.softwarePackages.delete(record.uuid, { deleteMode: deleteMode(record, isBusy) }),
  }
  return [install, verify, uninstall, remove]
}
