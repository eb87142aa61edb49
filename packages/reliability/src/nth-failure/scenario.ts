import type { SeenCalls } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'

/** System calls of one name at one place: an n-th one of them fails in every run. */
export interface CallSite {
  /** Shown in reports: `fsync of the database`. */
  readonly name: string
  readonly call: string
  readonly error: string
}

export interface Fault {
  readonly nth: number
  readonly error: string
}

/** Something that writes, and all that must be true when one of its writes has failed. */
export interface Scenario<Site extends CallSite = CallSite> {
  readonly name: string
  readonly sites: readonly Site[]
  /** Does it once without a fault. How many calls there were at each site. */
  count(): Promise<number[]>
  /**
   * Does it with a fault. It succeeds or returns a clear error; the state is sound afterwards; and the same
   * work succeeds without the fault. Throws otherwise.
   */
  run(site: Site, fault: Fault): Promise<Ending>
}

export interface Ending {
  readonly seen: SeenCalls
  /** The error that the caller received, or undefined when it succeeded despite the fault. */
  readonly refusal: string | undefined
}

export interface Figures {
  runs: number
  /** Of these, without a fault, to count the calls. */
  counting: number
  /** In which a call was made to fail. */
  withFault: number
  /** Of these, ended with a clear error; the others were done all the same. */
  refused: number
  /** Sites at which N grew until nothing failed any more. */
  exhausted: number
  sites: number
  /** Where a call was to fail: `upload: fsync of the log`. */
  readonly tried: Set<string>
  calls: number
  refusals: Map<string, number>
}

export const summarize = ({ runs, tried, sites, calls, withFault, refused, exhausted }: Figures): string =>
  `${runs} runs over ${calls} calls at ${tried.size} of ${sites} places; in ${withFault} of them one failed: ${refused} ended with a clear ` +
  `error, ${withFault - refused} succeeded anyway${exhausted > 0 ? '; at each place until a run in which none failed' : ''}`

const noFigures = (): Figures => ({
  runs: 0,
  counting: 0,
  withFault: 0,
  refused: 0,
  exhausted: 0,
  sites: 0,
  tried: new Set(),
  calls: 0,
  refusals: new Map(),
})

async function runOnce(scenario: Scenario, site: CallSite, nth: number, figures: Figures): Promise<boolean> {
  const { name, call, error } = site
  try {
    const { seen, refusal } = await scenario.run(site, { nth, error })
    figures.runs++
    figures.tried.add(`${scenario.name}: ${name}`)
    const hasFailed = seen.failed.length > 0
    if (hasFailed) figures.withFault++
    if (refusal === undefined) return hasFailed
    figures.refused++
    figures.refusals.set(refusal, (figures.refusals.get(refusal) ?? 0) + 1)
    if (!hasFailed) throw new Error(`nothing was made to fail, and it ended with: ${refusal}`)
    return true
  } catch (cause) {
    const place = `${scenario.name}, ${error} at ${call} no. ${nth} (${name})`
    throw new Error(`${place}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** Some of the calls at the sites of the sample. */
export async function failSome(
  scenarios: readonly Scenario[],
  { maxRuns, random }: { maxRuns: number; random: SeededRandom },
): Promise<Figures> {
  const figures = noFigures()
  const counted = sampleOf(await countAll(scenarios, figures), random)
  const shares = sharesOf(
    counted.map(({ calls }) => calls),
    maxRuns - figures.runs,
  )
  for (const [index, { scenario, site, calls }] of counted.entries()) {
    const share = shares[index] ?? 0
    for (let part = 0; part < share; part++)
      await runOnce(scenario, site, 1 + Math.floor(((part + random.fraction()) * calls) / share), figures)
  }
  return figures
}

/** At every site N grows until a run without a failure; by more than one where a site has many calls. */
export async function failUntilClean(
  scenarios: readonly Scenario[],
  { maxRuns }: { maxRuns: number },
): Promise<Figures> {
  const figures = noFigures()
  const counted = await countAll(scenarios, figures)
  const shares = sharesOf(
    counted.map(({ calls }) => calls),
    // one run without a failure at each site, and a margin for calls made by timers
    maxRuns - figures.runs - 2 * counted.length,
  )
  for (const [index, { scenario, site, calls }] of counted.entries()) {
    const step = Math.max(1, Math.ceil(calls / Math.max(shares[index] ?? 0, 1)))
    for (let nth = 1; await runOnce(scenario, site, nth, figures); nth += step)
      if (nth > 2 * calls + 10) throw new Error(`${site.name} does not end`)
    figures.exhausted++
  }
  return figures
}

interface CountedSite {
  readonly scenario: Scenario
  readonly site: CallSite
  readonly calls: number
}

/** In `npm test` every kind of site in one of the scenarios that have it; in the long form all. */
function sampleOf(counted: readonly CountedSite[], random: SeededRandom): readonly CountedSite[] {
  if (process.env.TEST_LONG) return counted
  const ofKind = new Map(random.shuffled(counted).map((one) => [`${one.site.call} ${one.site.name}`, one]))
  const taken = new Set(ofKind.values())
  return counted.filter((one) => taken.has(one))
}

async function countAll(scenarios: readonly Scenario[], figures: Figures): Promise<CountedSite[]> {
  const counted: CountedSite[] = []
  for (const scenario of scenarios) {
    const counts = await scenario.count()
    figures.runs++
    figures.counting++
    for (const [index, site] of scenario.sites.entries()) {
      const calls = counts[index] ?? 0
      if (calls === 0) throw new Error(`${scenario.name} makes no call for ${site.name}, so nothing can fail`)
      counted.push({ scenario, site, calls })
    }
  }
  figures.sites = counted.length
  figures.calls = counted.reduce((sum, { calls }) => sum + calls, 0)
  return counted
}

/** At least one each, and more for those with many calls, though not in proportion: one may have a hundred times as many. */
function sharesOf(counts: readonly number[], runs: number): number[] {
  const shares = counts.map(() => 1)
  for (let left = runs - shares.length; left > 0; left--) {
    const wants = counts.map((count, index) => {
      const share = shares[index] ?? 0
      return share < count ? Math.sqrt(count) / share : 0
    })
    const most = wants.indexOf(Math.max(...wants))
    if ((wants[most] ?? 0) === 0) break
    shares[most] = (shares[most] ?? 0) + 1
  }
  return shares
}
