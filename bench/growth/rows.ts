import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServerProcess } from '@wharf/testkit'
import { fillHosts, fillPackages } from '../data.ts'
import { type Curve, latencyCurve } from './curve.ts'
import { Caller, type Latency, latencyOf } from './latency.ts'

/** A page of 50 of so many packages, and of so many hosts, by conditions and in order, over HTTP. */
export async function rowCurves(counts: readonly number[]): Promise<Curve[]> {
  const packages = await pages('packages', counts, fillPackages, (index) => {
    const from = `package-${(index * 7).toString(16).padStart(8, '0')}`
    return `/v1/software-package?q=status=Uploaded&q=name>=${from}&sort=%2Bname&limit=50`
  })
  const hosts = await pages('hosts', counts, fillHosts, (index) => {
    const from = `host-${(index * 7).toString(16).padStart(8, '0')}`
    return `/v1/hosts?q=state=Enabled&q=name>=${from}&sort=%2Bname&limit=50`
  })
  return [packages, hosts]
}

async function pages(
  name: string,
  counts: readonly number[],
  fill: (file: string, to: number, from: number) => void,
  path: (index: number) => string,
): Promise<Curve> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const server = new ServerProcess({ WHARF_DATA: folder, WHARF_PORT: '0' })
  const points: [number, Latency][] = []
  let filled = 0
  try {
    await server.start()
    for (const count of counts) {
      await server.stop()
      fill(join(folder, 'wharf.db'), count, filled)
      filled = count
      await server.start()
      points.push([count, await measured(server, (index) => path(index % count))])
    }
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true })
  }
  return latencyCurve({ name, title: `A page of 50 ${name}, by q and sort`, of: name }, points)
}

async function measured(server: ServerProcess, path: (index: number) => string): Promise<Latency> {
  const { url } = server.bootstrap
  const headers = await sessionOf(server)
  const caller = new Caller()
  try {
    const page = (index: number) => caller.timed({ url: `${url}${path(index)}`, headers })
    await latencyOf(page)
    return await latencyOf(page)
  } finally {
    caller.close()
  }
}

async function sessionOf(server: ServerProcess): Promise<Record<string, string>> {
  const { url, password } = server.bootstrap
  const login = await fetch(`${url}/v1/accounts/login`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ logInByAccount: { accountName: 'admin', password } }),
  })
  const { inventory } = (await login.json()) as { inventory: { uuid: string } }
  return { authorization: `OAuth ${inventory.uuid}` }
}
