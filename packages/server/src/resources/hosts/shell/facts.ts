import { toldValue } from '@wharf/platform/told-value.ts'
import type { HostFacts } from '../driver.ts'

/** What a host says about itself, a line for each; a file that is not there or not for us to read is an empty value. */
export const factsScript = `
read_first() { head -n 1 "$1" 2>/dev/null | tr -d '\\000'; }
echo "hostName=$(uname -n)"
echo "architecture=$(uname -m)"
echo "kernel=$(uname -sr)"
echo "distribution=$(sed -n 's/^PRETTY_NAME=//p' /etc/os-release 2>/dev/null)"
echo "manufacturer=$(read_first /sys/class/dmi/id/sys_vendor)"
echo "product=$(read_first /sys/class/dmi/id/product_name)"
echo "sn=$(read_first /sys/class/dmi/id/product_serial)"
echo "model=$(read_first /proc/device-tree/model)"
echo "boardSerial=$(read_first /proc/device-tree/serial-number)"`

/** Boards without a firmware of the PC's kind tell their model and serial number elsewhere. */
export function readFacts(lines: readonly string[]): HostFacts {
  const values = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  const value = (name: string): string | null => toldValue(values.get(name) ?? '')
  return {
    hostName: value('hostName'),
    sn: value('sn') ?? value('boardSerial'),
    manufacturer: value('manufacturer'),
    product: value('product') ?? value('model'),
    system: toldValue(unquoted(values.get('distribution') ?? '')) ?? value('kernel'),
    architecture: value('architecture'),
  }
}

/** os-release is read by shells: its values may be quoted. */
const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2').replaceAll(/\\(["'$`\\])/g, '$1')
