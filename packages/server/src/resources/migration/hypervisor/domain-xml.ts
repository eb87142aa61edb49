import type { Network } from '../machine-size.ts'

export interface Domain {
  readonly uuid: string
  readonly name: string
  readonly description: string | null
  readonly role: 'management' | 'gateway'
  readonly cpu: number
  readonly memoryBytes: number
  readonly network: Network
  /** A disk that it may write to, or an image that it starts from and only reads. */
  readonly boot: { readonly path: string; readonly device: 'disk' | 'cdrom' }
  /** The file that records its first serial port. */
  readonly consoleLog: string
  readonly hasKvm: boolean
}

/** The name by which people and libvirt identify a VM of Wharf. */
export const domainName = (uuid: string): string => `wharf-${uuid}`

/** The architecture of the images. A host with another processor emulates it, slowly. */
export const imageArchitecture = 'x86_64'

const namespace = 'urn:wharf:migration'

/** Whether the XML of libvirt contains the element that Wharf adds to this VM. Texts are escaped, so none can imitate it. */
export const hasWharfMark = (uuid: string, xml: string): boolean =>
  (xml.match(/<wharf:vm\s[^<>]*>/g) ?? []).some(
    (mark) => new RegExp(`["']${namespace}["']`).test(mark) && new RegExp(`\\suuid=["']${uuid}["']`).test(mark),
  )

/** The notation of libvirt. */
export const dashed = (uuid: string): string => uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The definition of a VM for libvirt. Every text of a caller is escaped. */
export function domainXml(domain: Domain): string {
  const { uuid, name, description, role, cpu, memoryBytes, boot, consoleLog, hasKvm } = domain
  const isDisk = boot.device === 'disk'
  return `<domain type='${hasKvm ? 'kvm' : 'qemu'}'>
  <name>${domainName(uuid)}</name>
  <uuid>${dashed(uuid)}</uuid>
  <title>${escaped(name.replaceAll(/\s+/g, ' '))}</title>
  <description>${escaped(description ?? '')}</description>
  <metadata>
    <wharf:vm xmlns:wharf='${namespace}' uuid='${uuid}' role='${role}'/>
  </metadata>
  <memory unit='b'>${memoryBytes}</memory>
  <vcpu>${cpu}</vcpu>
  <os>
    <type arch='${imageArchitecture}'>hvm</type>
    <boot dev='${isDisk ? 'hd' : 'cdrom'}'/>
  </os>
  <features><acpi/></features>
  <on_poweroff>destroy</on_poweroff>
  <on_reboot>restart</on_reboot>
  <on_crash>restart</on_crash>
  <devices>
    <disk type='file' device='${boot.device}'>
      <driver name='qemu' type='${isDisk ? 'qcow2' : 'raw'}'/>
      <source file='${escaped(boot.path)}'/>
      ${isDisk ? `<target dev='vda' bus='virtio'/>` : `<target dev='sda' bus='sata'/><readonly/>`}
    </disk>
    ${interfaceXml(domain.network)}
    <serial type='pty'>
      <log file='${escaped(consoleLog)}' append='on'/>
      <target port='0'/>
    </serial>
    <console type='pty'><target type='serial' port='0'/></console>
    <memballoon model='virtio'/>
  </devices>
</domain>
`
}

function interfaceXml(network: Network): string {
  if (network.kind === 'user') return `<interface type='user'><model type='virtio'/></interface>`
  const source = `<source ${network.kind}='${escaped(network.name)}'/>`
  return `<interface type='${network.kind}'>${source}<model type='virtio'/></interface>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&apos;', '"': '&quot;' }

/** For text and for attributes. XML 1.0 cannot represent most control characters or a lone surrogate. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll(/[&<>'"]/g, (character) => entities[character] ?? '')
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
