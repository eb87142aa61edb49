import {
  acknowledgeThirdpartyAlert,
  createThirdpartyPlatform,
  deleteThirdpartyPlatform,
  getThirdpartyAlert,
  getThirdpartyAlertHistogram,
  getThirdpartyPlatform,
  previewTemplate,
  queryThirdpartyAlert,
  queryThirdpartyPlatform,
  resetThirdpartyToken,
  silenceThirdpartyAlert,
  unsilenceThirdpartyAlert,
  updateThirdpartyPlatform,
} from '@wharf/contract'
import type { Clock } from '@wharf/platform/clock.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { ServerAddress } from '@wharf/platform/server-address.ts'
import { type Binding, handle } from '../../calls/bind.ts'
import { callerOf, type Queries, queryBindings } from '../../calls/query-bindings.ts'
import { readTime } from '../../calls/read-period.ts'
import type { AccountService } from '../identity/accounts/service.ts'
import type { TagService } from '../tags/service.ts'
import { type AlertPlatformService, ingestionUrl, platformType } from './alert-platform-service.ts'
import type { AlertRenderer } from './alert-renderer.ts'
import { readHistogram } from './histogram.ts'
import type { AlertService } from './service.ts'
import { alertRecords } from './store.ts'

interface AlertOperationDeps {
  queries: Queries
  platforms: AlertPlatformService
  alerts: AlertService
  accounts: Pick<AccountService, 'nameOf'>
  renderer: AlertRenderer
  tags: TagService
  ownAddress: ServerAddress
  clock: Clock
}

export const alertOperations = (deps: AlertOperationDeps): Binding[] => [
  ...platformOperations(deps),
  ...alertRecordOperations(deps),
]

function platformOperations({ queries, platforms, renderer, tags, ownAddress }: AlertOperationDeps): Binding[] {
  return [
    handle(createThirdpartyPlatform, async ({ fields, tags: given, commit }) => {
      const { name, template, description, tagUuids, resourceUuid: uuid = newSequentialUuid() } = fields
      if (template !== undefined) await renderer.check({ uuid, name, template })
      return commit(async (tx) => {
        const url = ingestionUrl(ownAddress, uuid)
        const inventory = await platforms.create(tx, { name, url, template, description, resourceUuid: uuid })
        await tags.attach(tx, { resourceUuid: uuid, resourceType: platformType, tags: given, tagUuids })
        return { inventory, token: platforms.tokenOf(inventory) }
      })
    }),
    handle(updateThirdpartyPlatform, async ({ path, fields, commit }) => {
      const { template } = fields
      if (template !== undefined) await renderer.check({ ...(await platforms.get(path.uuid)), template })
      return commit(async (tx) => ({ inventory: await platforms.change(tx, path.uuid, fields) }))
    }),
    handle(previewTemplate, async ({ path, fields, commit }) => {
      const platform = { ...(await platforms.get(path.uuid)), template: fields.template }
      const text = await renderer.preview(platform, fields.alert ?? {})
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
  ]
}

function alertRecordOperations({ queries, alerts, accounts, clock }: AlertOperationDeps): Binding[] {
  return [
    handle(acknowledgeThirdpartyAlert, ({ path, fields, caller, commit }) =>
      commit(async (tx) => {
        const userName = await accounts.nameOf(tx, caller.userUuid)
        return { inventory: await alerts.acknowledge(tx, path.uuid, userName, fields.comment) }
      }),
    ),
    handle(silenceThirdpartyAlert, ({ path, fields: { until, comment }, caller, commit }) => {
      const silence = { until: readTime('silenceAlert.until', until, queries.timezone), comment }
      return commit(async (tx) => {
        const userName = await accounts.nameOf(tx, caller.userUuid)
        return { inventory: await alerts.silence(tx, path.uuid, userName, silence) }
      })
    }),
    handle(unsilenceThirdpartyAlert, ({ path, commit }) =>
      commit(async (tx) => ({ inventory: await alerts.unsilence(tx, path.uuid) })),
    ),
    handle(getThirdpartyAlertHistogram, (call) =>
      readHistogram(queries, call.fields, { now: clock.now(), ...callerOf(call) }),
    ),
    ...queryBindings(queries, queryThirdpartyAlert, getThirdpartyAlert, { records: alertRecords }),
  ]
}
