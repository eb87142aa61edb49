import { SoftwarePackageInventory } from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import { filledServer } from './bench-server.ts'
import { fillPackages } from './data.ts'
import { requestsPerCpuSecond } from './load.ts'
import { compare, countShortRounds, type Figure } from './measure.ts'
import { startBareServer } from './peers/peer-process.ts'
import { session, signed, signedByMessage } from './sign-in.ts'

const rows = 100_000
const limit = 20
const path = `/v1/software-package?limit=${limit}`
const unit = 'requests per CPU second'

/** Signed and session GET of 20 packages, against the same statement and bytes without anything around them. */
export async function httpQuery(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const wharf = await filledServer(cleanup, (file) => fillPackages(file, rows))
  await wharf.start()
  const url = wharf.bootstrap.url + path
  const inSession = await session(wharf)
  const body = await bytesOf(url, inSession)

  const packages = collection(SoftwarePackageInventory)
  const { page } = packages.statements('sqlite', { limit })
  if (page === undefined) throw new Error('the server would run no statement')
  const bare = await startBareServer([wharf.file, page.sql, JSON.stringify(page.values), body.toString('base64')])
  cleanup.defer(() => bare.stop())
  if (!body.equals(await bytesOf(`${bare.url}/rows`))) throw new Error('the peer sends other bytes')

  const bySignature = (amount?: number) => requestsPerCpuSecond(wharf.pid, url, signed(wharf, path), amount)
  const byMessage = (amount?: number) => requestsPerCpuSecond(wharf.pid, url, signedByMessage(wharf, path), amount)
  const bySession = (amount?: number) => requestsPerCpuSecond(wharf.pid, url, inSession, amount)
  const bareRows = (amount?: number) => requestsPerCpuSecond(bare.pid, `${bare.url}/rows`, {}, amount)
  const barePrepared = (amount?: number) => requestsPerCpuSecond(bare.pid, `${bare.url}/prepared`, {}, amount)
  // once for the compiler's sake
  for (const one of [bySignature, byMessage, bySession, bareRows, barePrepared]) await one(30_000)
  const name = `GET of ${limit} of ${rows.toLocaleString('en')} packages`
  const peer = 'bare Fastify, same SQL, same bytes'
  const shortRoundCount = countShortRounds(rounds)
  return [
    await compare(
      { name: `signed ${name}`, unit, peer, aim: 0.9 },
      shortRoundCount,
      () => bySignature(),
      () => bareRows(),
    ),
    await compare(
      { name: `session ${name}`, unit, peer, aim: 0.9 },
      shortRoundCount,
      () => bySession(),
      () => bareRows(),
    ),
    await compare(
      { name: `signed ${name}, by RFC 9421`, unit, peer: 'the same, by the older scheme', aim: 0.9 },
      shortRoundCount,
      () => byMessage(),
      () => bySignature(),
    ),
    await compare(
      { name: `signed ${name}`, unit, peer: `${peer}, but prepared beforehand` },
      shortRoundCount,
      () => bySignature(),
      () => barePrepared(),
    ),
  ]
}

async function bytesOf(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const answer = await fetch(url, { headers })
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}
