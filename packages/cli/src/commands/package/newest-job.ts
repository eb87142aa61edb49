import type { Wharf } from '@wharf/sdk'

/** The newest job that works on a package, or that installed it in place of another version. */
export async function newestPackageJob(wharf: Wharf, uuid: string) {
  const { mergeNewest, newestJobsOf, newestReplacementsBy } = await import('@wharf/sdk')
  const [own, related] = await Promise.all(
    [newestJobsOf(uuid), newestReplacementsBy(uuid)].map(async (query) => {
      const { inventories = [] } = await wharf.jobs.query(query)
      return inventories
    }),
  )
  const [job] = mergeNewest(own ?? [], related ?? [], (time) => wharf.toDate(time))
  return job
}
