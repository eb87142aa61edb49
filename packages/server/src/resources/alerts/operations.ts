import {
  createThirdpartyPlatform,
  deleteThirdpartyPlatform,
  getThirdpartyAlert,
  getThirdpartyPlatform,
  previewTemplate,
  queryThirdpartyAlert,
  queryThirdpartyPlatform,
  resetThirdpartyToken,
  updateThirdpartyPlatform,
} from '@wharf/contract'
import { newUuid } from '@wharf/platform/ids.ts'
import type { ServerAddress } from '@wharf/platform/server-address.ts'
import { type Binding, handle } from '../../calls/bind.ts'
import { type Queries, queryBindings } from '../../calls/query-bindings.ts'
import type { TagService } from '../tags/service.ts'
import type { AlertTexts } from './alert-texts.ts'
import { type AlertPlatformService, ingestionUrl, resourceType } from './service.ts'

interface AlertOperationDeps {
  queries: Queries
  platforms: AlertPlatformService
  texts: AlertTexts
  tags: TagService
  ownAddress: ServerAddress
}

export function alertOperations({ queries, platforms, texts, tags, ownAddress }: AlertOperationDeps): Binding[] {
  return [
    handle(createThirdpartyPlatform, async ({ fields, tags: given, commit }) => {
      const { name, template, description, tagUuids, resourceUuid: uuid = newUuid() } = fields
      if (template !== undefined) await texts.check({ uuid, name, template })
      return commit(async (tx) => {
        const url = ingestionUrl(ownAddress, uuid)
        const inventory = await platforms.create(tx, { name, url, template, description, resourceUuid: uuid })
        await tags.attach(tx, { resourceUuid: uuid, resourceType, tags: given, tagUuids })
        return { inventory, token: platforms.tokenOf(inventory) }
      })
    }),
    handle(updateThirdpartyPlatform, async ({ path, fields, commit }) => {
      const { template } = fields
      if (template !== undefined) await texts.check({ ...(await platforms.get(path.uuid)), template })
      return commit(async (tx) => ({ inventory: await platforms.change(tx, path.uuid, fields) }))
    }),
    handle(previewTemplate, async ({ path, fields, commit }) => {
      const platform = { ...(await platforms.get(path.uuid)), template: fields.template }
      const text = await texts.preview(platform, fields.alert ?? {})
      return commit(async () => ({ text }))
    }),
    handle(resetThirdpartyToken, ({ path, commit }) =>
      commit(async (tx) => ({ token: await platforms.resetToken(tx, path.uuid) })),
    ),
    handle(deleteThirdpartyPlatform, ({ path, commit }) =>
      commit(async (tx) => {
        await platforms.remove(tx, path.uuid)
        await tags.detachAll(tx, path.uuid)
        return {}
      }),
    ),
    ...queryBindings(queries, queryThirdpartyPlatform, getThirdpartyPlatform),
    ...queryBindings(queries, queryThirdpartyAlert, getThirdpartyAlert),
  ]
}
