import type { Facts } from './facts.ts'
import { txtStrings } from './records.ts'
import { serviceType } from './service-type.ts'

const sshPort = 22

/** A service file for /etc/avahi/services, for hosts that run avahi-daemon. */
export function avahiServiceFile(facts: Facts): string {
  const records = txtStrings(facts).map((text) => `    <txt-record>${escapeXml(text)}</txt-record>`)
  return `<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">%h</name>
  <service>
    <type>${serviceType.replace(/\.local$/, '')}</type>
    <port>${sshPort}</port>
${records.map((line) => `${line}\n`).join('')}  </service>
</service-group>
`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** XML cannot represent control characters. */
const escapeXml = (text: string): string =>
  text.replace(/\p{Cc}/gu, '').replace(/[&<>"']/g, (character) => entities[character] ?? '')
