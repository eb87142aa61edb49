import type { Calls } from './calls.ts'
import type { Load } from './load.ts'
import { checkOwners, type Owners } from './owners.ts'
import type { PackageWork } from './package-work.ts'
import type { TwoNodeSetup } from './two-node-setup.ts'

interface CheckedRun {
  readonly setup: TwoNodeSetup
  readonly calls: Calls
  readonly work: PackageWork
  readonly load: Load
}

export interface RunResults extends Pick<Owners, 'writes' | 'handovers'> {
  readonly creates: number
  readonly changes: number
  readonly reads: number
  readonly jobs: number
  /** Of these, the ones that failed because a node that was cut off lost its connection to the host. */
  readonly cutOff: number
  /** Descriptions of every violation. */
  readonly faults: readonly string[]
}

/** Compares what was acknowledged with what is stored, after all jobs have ended. */
export async function checkRun(run: CheckedRun): Promise<RunResults> {
  const { calls, load, work, setup } = run
  const { faults: ofOwners, writes, handovers } = await checkOwners(setup)
  const unexpected = calls.unexpected
    .filter(({ at, what }) => !setup.isHostUnreachable(what, at))
    .map(({ at, what }) => `${new Date(at).toISOString()} ${what}`)
  const some = (what: string, found: readonly string[]): string[] =>
    found.length === 0 ? [] : [`${found.length} ${what}: ${found.slice(0, 5).join('; ')}`]
  return {
    creates: load.createdNames.size,
    changes: load.persons.reduce((sum, { changes }) => sum + changes, 0),
    reads: load.reads,
    jobs: [...work.acknowledged.values()].reduce((sum, count) => sum + count, 0),
    cutOff: await cutOffJobs(setup),
    writes,
    handovers,
    faults: [
      ...some('calls were answered wrongly', unexpected),
      ...some('reads did not show what was acknowledged', load.staleReads),
      ...some('tags do not exist exactly once', await wrongTags(run)),
      ...some('records were not changed as often as acknowledged', await wrongChanges(run)),
      ...some('jobs are wrong', await wrongJobs(run)),
      ...some('jobs had two concurrent owners on the host', await work.marks.overlaps()),
      ...ofOwners,
      ...some('log lines report a fault', faultLines(run)),
    ],
  }
}

async function wrongTags({ setup, load }: CheckedRun): Promise<string[]> {
  const rows = await setup.query<{ name: string }>(`select "name" from "tags" where "name" like 'tag-%'`)
  const found = counted(rows.map(({ name }) => name))
  return differences(new Map([...load.createdNames].map((name) => [name, 1])), found)
}

/** Each change is also an event, which reveals a change that happened twice. */
async function wrongChanges({ setup, load }: CheckedRun): Promise<string[]> {
  const acknowledged = new Map(load.persons.map(({ uuid, changes }) => [uuid, changes]))
  const events = await setup.query<{ uuid: string }>(
    `select "uuid" from "events" where "resourceType" = 'ChatAppAtPerson' and "type" = 'Updated'`,
  )
  const rows = await setup.query<{ uuid: string; remark: string | null }>('select "uuid", "remark" from "atPersons"')
  return [
    ...differences(acknowledged, counted(events.map(({ uuid }) => uuid))),
    ...differences(acknowledged, new Map(rows.map(({ uuid, remark }) => [uuid, Number(remark)]))),
  ]
}

interface Ended {
  readonly uuid: string
  readonly subjectUuid: string
  readonly state: string
  readonly errorCode: string | null
  readonly lastOpDate: string
  /** The last of its log, when it failed. */
  readonly words: string | null
}

/**
 * As many as were acknowledged, all of them ended as they should, and each has left its mark once. (A repeated call
 * for a job that was cut off from the host received that error instead of the job.)
 */
async function wrongJobs({ setup, work }: CheckedRun): Promise<string[]> {
  const jobs = await setup.query<Ended>(
    `select "uuid", "subjectUuid", "state", "errorCode", "lastOpDate", (select min("line") from "jobLogs"
       where "jobUuid" = "jobs"."uuid" and "line" like 'failed: %') as "words"
     from "jobs" where "operation" ~ '^(Uni|I)nstall'`,
  )
  const marks = counted(await work.marks.left())
  const wanted = jobs.map(
    (job) => [job.uuid, isCutOff(setup, job) ? Math.min(marks.get(job.uuid) ?? 0, 1) : 1] as const,
  )
  const failed = jobs.filter((job) => job.state !== 'Succeeded' && !isCutOff(setup, job))
  return [
    ...failed.map((job) => JSON.stringify(job)),
    ...wrongCounts(setup, jobs, work.acknowledged),
    ...differences(new Map(wanted), marks),
  ]
}

/** Packages with more jobs than were acknowledged, but for those that were cut off, or with fewer. */
function wrongCounts(setup: TwoNodeSetup, jobs: readonly Ended[], acknowledged: ReadonlyMap<string, number>): string[] {
  const found = counted(jobs.map(({ subjectUuid }) => subjectUuid))
  const cutOff = counted(jobs.filter((job) => isCutOff(setup, job)).map(({ subjectUuid }) => subjectUuid))
  return [...new Set([...acknowledged.keys(), ...found.keys()])].flatMap((uuid) => {
    const [known = 0, most = 0, excused = 0] = [acknowledged, found, cutOff].map((counts) => counts.get(uuid))
    const isRight = known <= most && known >= most - excused
    return isRight ? [] : [`${uuid} has ${most} jobs, ${excused} of them cut off, and ${known} were acknowledged`]
  })
}

/** The node cannot reach the host and reports it: no other node has to take over. */
const isCutOff = (
  setup: TwoNodeSetup,
  { state, errorCode, lastOpDate }: Pick<Ended, 'state' | 'errorCode' | 'lastOpDate'>,
): boolean => state === 'Failed' && setup.isHostUnreachable(errorCode ?? '', Number(lastOpDate))

async function cutOffJobs(setup: TwoNodeSetup): Promise<number> {
  const failed = await setup.query<Pick<Ended, 'state' | 'errorCode' | 'lastOpDate'>>(
    `select "state", "errorCode", "lastOpDate" from "jobs" where "state" = 'Failed'`,
  )
  return failed.filter((job) => isCutOff(setup, job)).length
}

const faultLines = ({ setup }: CheckedRun): string[] =>
  setup.nodes.flatMap(({ process: { stderr } }) =>
    stderr.split('\n').filter((line) => /an internal error|failed to finish|threw/.test(line)),
  )

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function differences(wanted: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): string[] {
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((name) => (wanted.get(name) ?? 0) !== (found.get(name) ?? 0))
    .map((name) => `${name} exists ${found.get(name) ?? 0} times, not ${wanted.get(name) ?? 0}`)
}
