import { deleteRelease, type queryRelease, querySoftwarePackage, retireRelease } from '@wharf/contract'
import type { BulkAction, RecordOf } from '../../components/ResourceTable.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { installedOf } from './installed-packages.ts'
import { messages } from './messages.ts'

type Release = RecordOf<typeof queryRelease>

/** The actions of the page of a release, for several. */
export function useReleaseBulkActions(): BulkAction<Release>[] {
  const t = useMessages(messages)
  const wharf = useWharf()
  return [
    {
      id: 'retire',
      label: t.retire,
      operation: retireRelease,
      consequences: t.retireConsequences,
      problem: ({ state }) => (state === 'Retired' ? t.isRetired : undefined),
      run: ({ uuid = '' }) => wharf.releases.retire(uuid),
      inputOf: ({ uuid }) => ({ uuid }),
    },
    {
      id: 'delete',
      label: t.delete,
      operation: deleteRelease,
      consequences: t.deleteConsequences,
      prepare: async ({ uuid = '' }, signal) => {
        const { total = 0 } = await wharf.call(querySoftwarePackage, { q: installedOf(uuid), count: true }, { signal })
        return total > 0 ? { problem: t.isInstalled(total) } : { value: undefined }
      },
      run: ({ uuid = '' }) => wharf.releases.delete(uuid, {}),
      inputOf: ({ uuid }) => ({ uuid }),
    },
  ]
}
