import { deleteRelease, getRelease, queryRelease, retireRelease } from '@wharf/contract'
import { type Binding, handle } from '../../calls/bind.ts'
import { bindJob } from '../../calls/job-operation.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import { type PublishDeps, publishReleaseJob } from './jobs.ts'

export function releaseOperations(deps: PublishDeps & { readonly queries: Queries }): Binding[] {
  const { queries, releases, jobs } = deps
  return [
    bindJob(jobs, publishReleaseJob(deps)),
    handle(retireRelease, ({ path, commit }) =>
      commit(async (tx) => ({ inventory: await releases.retire(tx, path.uuid) })),
    ),
    handle(deleteRelease, ({ path, commit }) =>
      commit(async (tx) => {
        await releases.remove(tx, path.uuid)
        return {}
      }),
    ),
    ...queryBindings(queries, queryRelease, getRelease),
  ]
}
