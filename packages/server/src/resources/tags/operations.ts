import {
  createTag,
  createUserTag,
  deleteTag,
  deleteUserTag,
  getSystemTag,
  getTag,
  getUserTag,
  querySystemTag,
  queryTag,
  queryUserTag,
} from '@wharf/contract'
import { type Binding, handle } from '../../calls/bind.ts'
import { type Queries, type QueryOptions, queryBindings } from '../../calls/query-bindings.ts'
import type { TagService } from './service.ts'

export function tagOperations(deps: {
  queries: Queries
  tags: TagService
  /** The system tags as this caller may see them. */
  shown: NonNullable<QueryOptions['shown']>
}): Binding[] {
  const { queries, tags, shown } = deps
  return [
    handle(createTag, (call) =>
      call.commit(async (tx) => {
        const inventory = await tags.create(tx, call.fields)
        await tags.attach(tx, { resourceUuid: inventory.uuid, resourceType: 'Tag', tags: call.tags })
        return { inventory }
      }),
    ),
    handle(deleteTag, ({ path, commit }) =>
      commit(async (tx) => {
        await tags.remove(tx, path.uuid)
        return {}
      }),
    ),
    handle(createUserTag, ({ fields, caller, commit }) =>
      commit(async (tx) => ({ inventory: await tags.attachUserTag(tx, fields, caller) })),
    ),
    handle(deleteUserTag, ({ path, caller, commit }) =>
      commit(async (tx) => {
        await tags.removeUserTag(tx, path.uuid, caller)
        return {}
      }),
    ),
    ...queryBindings(queries, queryTag, getTag),
    ...queryBindings(queries, querySystemTag, getSystemTag, { shown, shownBy: ['resourceUuid'] }),
    ...queryBindings(queries, queryUserTag, getUserTag),
  ]
}
