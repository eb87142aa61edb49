import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Free now; nothing keeps others from it. */
export async function freePort(address: string): Promise<number> {
  const probe = createServer().listen(0, address)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
