import { queryRollout } from '@wharf/contract'
import type { Wharf } from '@wharf/sdk'
import { useEffect, useState } from 'react'
import { useApiQuery } from '../../data/api-query.ts'
import { useSession } from '../../data/session.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { nextSince } from './ended-jobs.ts'
import { changedRollouts, type RolloutRecord, rolloutNews, seenAfter } from './rollout-news.ts'
import { showAdded } from './show-added.ts'
import { notificationStore } from './use-notifications.ts'

/** Adds a notification whenever a rollout of the user pauses or ends. Events, a reconnect and a reload refetch the query. */
export function useRolloutNews(): void {
  const wharf = useWharf()
  const { userUuid = '' } = useSession() ?? {}
  const [since, setSince] = useState(() => notificationStore(userUuid).startRollouts().since)
  const { data } = useApiQuery(queryRollout, changedRollouts(userUuid, since))
  useEffect(() => {
    if (data) setSince(handleChanged(data.inventories ?? [], userUuid, wharf))
  }, [data, userUuid, wharf])
}

/** Returns from when on the next query starts. */
function handleChanged(rollouts: readonly RolloutRecord[], userUuid: string, wharf: Wharf): string {
  const toDate = (time: string): Date => wharf.toDate(time)
  const store = notificationStore(userUuid)
  const { since, states, isFirst } = store.startRollouts()
  const next = { since: nextSince(rollouts, since, toDate), states: seenAfter(rollouts, states) }
  // a new browser has nothing to report
  const news = isFirst ? [] : rolloutNews(rollouts, states, toDate)
  const hasChanged = isFirst || rollouts.some(({ uuid = '' }) => states[uuid] !== next.states[uuid])
  if (hasChanged) showAdded(news, (added) => store.handleRollouts(next, added))
  return next.since
}
