import type { Facts } from './facts.ts'
import { txtStrings } from './records.ts'
import { serviceType } from './service-type.ts'

const sshPort = 22

/** For /etc/avahi/services, on a host whose avahi-daemon announces it already. */
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

/** Control characters cannot be written in XML at all. */
const escapeXml = (text: string): string =>
  text.replace(/\p{Cc}/gu, '').replace(/[&<>"']/g, (character) => entities[character] ?? '')
