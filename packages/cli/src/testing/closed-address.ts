import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** An address of this machine where nobody listens: tests call it. */
export async function closedAddress(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return `http://127.0.0.1:${port}`
}
