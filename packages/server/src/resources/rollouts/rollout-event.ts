import type { SystemEvent } from '../../events/system-event.ts'
import { resourceType } from './rollout-records.ts'
import type { RolloutRow } from './store.ts'

/** What chat endpoints learn about the new state of a rollout; undefined when it is not news to them. */
export function rolloutEvent(rollout: RolloutRow): SystemEvent | undefined {
  const { uuid, name, state, reason, userName } = rollout
  const resource = { type: resourceType, uuid, name }
  if (state === 'Paused') return { event: 'RolloutPaused', resource, reason }
  if (state === 'Succeeded') return { event: 'RolloutSucceeded', resource, userName }
  const isFailed = state === 'Failed' || state === 'RollbackFailed'
  if (isFailed || (state === 'RolledBack' && rollout.isRollBackAutomatic === 1))
    return { event: 'RolloutFailed', resource, reason: reason ?? (state === 'RollbackFailed' ? undoFailed : tooMany) }
  return undefined
}

const undoFailed = { en: 'not every host could be restored', zh: '部分主机无法恢复' }
const tooMany = { en: 'more hosts failed than the rollout allows', zh: '失败的主机超过允许的数量' }
