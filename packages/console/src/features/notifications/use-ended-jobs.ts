import { maxLogLines, queryApiJob } from '@wharf/contract'
import type { Wharf } from '@wharf/sdk'
import { useEffect, useState } from 'react'
import { plainLine } from '../../components/job-log/styled-spans.ts'
import { forEachLimited } from '../../components/table/bulk/for-each-limited.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { useSession } from '../../data/session.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { endedJobs, type JobRecord, maxEnded, newlyEnded, nextSince, notificationOf } from './ended-jobs.ts'
import { type JobNotification, reasonIn } from './notification.ts'
import { showAdded } from './show-added.ts'
import { notificationStore } from './use-notifications.ts'

/**
 * Adds a notification for every job of the user that ends. Events refetch the query, and so do a reconnect and a reload;
 * the browser remembers which jobs it has handled.
 */
export function useEndedJobs(): void {
  const wharf = useWharf()
  const { userUuid = '' } = useSession() ?? {}
  const [watch] = useState(() => newWatch(userUuid))
  const [since, setSince] = useState(watch.since)
  const { data } = useApiQuery(queryApiJob, endedJobs(userUuid, since))
  useEffect(() => {
    if (data) void handleEnded(data.inventories ?? [], watch, wharf).then(() => setSince(watch.since))
  }, [data, watch, wharf])
  useEffect(() => {
    watch.hasEnded = false
    return () => {
      watch.hasEnded = true
    }
  }, [watch])
}

interface Watch {
  readonly userUuid: string
  since: string
  readonly handled: Set<string>
  isFirst: boolean
  /** The user has signed out: nothing is stored any more. */
  hasEnded: boolean
}

function newWatch(userUuid: string): Watch {
  const { since, handled, isFirst } = notificationStore(userUuid).startJobs()
  return { userUuid, since, handled: new Set(handled), isFirst, hasEnded: false }
}

async function handleEnded(newest: readonly JobRecord[], watch: Watch, wharf: Wharf): Promise<void> {
  const jobs = await withOlder(newest, watch, wharf)
  // the next event or reconnect repeats the query
  if (jobs === undefined || watch.hasEnded) return
  const { userUuid, handled } = watch
  const fresh = newlyEnded(jobs, handled)
  const uuids = fresh.map(({ uuid = '' }) => uuid)
  for (const uuid of uuids) handled.add(uuid)
  watch.since = nextSince(jobs, watch.since, (time) => wharf.toDate(time))
  if (watch.isFirst) {
    watch.isFirst = false
    return notificationStore(userUuid).handleJobs({ since: watch.since, handled: uuids }, [])
  }
  if (fresh.length === 0) return
  const ended: JobNotification[] = []
  await forEachLimited(fresh, new AbortController().signal, async (job) => {
    ended.push(notificationOf(job, (time) => wharf.toDate(time), await reasonOf(job, wharf)))
  })
  if (watch.hasEnded) return
  const seen = { since: watch.since, handled: uuids }
  showAdded(ended, (added) => notificationStore(userUuid).handleJobs(seen, added))
}

/** A full page may not be all of them; undefined if the others cannot be read. */
async function withOlder(
  newest: readonly JobRecord[],
  { userUuid, since }: Watch,
  { jobs }: Wharf,
): Promise<readonly JobRecord[] | undefined> {
  if (newest.length < maxEnded) return newest
  const { q, fields } = endedJobs(userUuid, since)
  const all: JobRecord[] = []
  try {
    for await (const job of jobs.all({ q, fields })) all.push(job)
    return all
  } catch {
    return undefined
  }
}

/** From the log, because the answer of a failed job is an error that browsers report in their console. */
async function reasonOf({ uuid = '', state, errorCode }: JobRecord, { jobs }: Wharf): Promise<string | undefined> {
  if (state !== 'Failed') return undefined
  try {
    const { failureFirstLine: first, failureLastLine: last } = await jobs.steps(uuid)
    if (first === null) return errorCode ?? undefined
    const limit = Math.min((last ?? first) - first + 1, maxLogLines)
    const { lines } = await jobs.logLines(uuid, { after: first - 1, limit })
    return reasonIn(lines.map(({ line }) => plainLine(line))) || (errorCode ?? undefined)
  } catch {
    return errorCode ?? undefined
  }
}
