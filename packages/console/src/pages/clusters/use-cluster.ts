import { useQuery } from '@tanstack/react-query'
import { queryClusterPlugin, type TaggedClusterConfiguration } from '@wharf/contract'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { parseConfiguration } from './configuration.ts'

/** By cluster. An event reports the plugin when its tag changes, so the query key is that of plugins. */
export function useConfigurations(): {
  configurations: ReadonlyMap<string, TaggedClusterConfiguration>
  isPending: boolean
  error: Error | null
} {
  const wharf = useWharf()
  const { data, isPending, error } = useQuery({
    queryKey: [queryClusterPlugin.resource, 'configurations'],
    queryFn: async ({ signal }) => {
      const q = ['resourceType=ClusterPlugin', 'tag~=initConfig::%']
      const { inventories = [] } = await wharf.systemTags.query({ q }, { signal })
      return inventories.flatMap(({ resourceUuid = '', tag }): [string, TaggedClusterConfiguration][] => {
        const found = parseConfiguration(tag)
        return found ? [[resourceUuid, found]] : []
      })
    },
  })
  return { configurations: new Map(data), isPending, error }
}

export function useConfiguration(uuid: string) {
  const { configurations, ...state } = useConfigurations()
  return { configuration: configurations.get(uuid), ...state }
}

export const useCluster = (uuid: string) => useApiQuery(queryClusterPlugin, { q: [`uuid=${uuid}`] })
