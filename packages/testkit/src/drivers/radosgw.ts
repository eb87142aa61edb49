import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'
import { SupervisedScript } from '../hosts/supervised-script.ts'

const script = fileURLToPath(new URL('./radosgw.sh', import.meta.url))
const address = '127.0.0.1'

export interface S3Gateway {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** A real S3: Ceph's gateway before a cluster of one, in memory. It is removed after the test, and when this process is killed. */
export async function startRadosgw(t: { after(work: () => Promise<void>): void }): Promise<S3Gateway> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-ceph-'))
  const accessKeyId = randomBytes(10).toString('hex')
  const secretAccessKey = randomBytes(20).toString('hex')
  const [monitorPort, gatewayPort] = [await freePort(address), await freePort(address)]
  const keeper = await SupervisedScript.start(
    ['sh', script, folder, String(monitorPort), String(gatewayPort), accessKeyId, secretAccessKey],
    (lines) => lines.includes('ready'),
  )
  t.after(() => keeper.stop())
  return { endpoint: `http://${address}:${gatewayPort}`, accessKeyId, secretAccessKey }
}
