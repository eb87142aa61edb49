import { reportedValue } from '@wharf/platform/reported-value.ts'
import type { HostFacts } from '../driver.ts'

/** Prints one fact per line; a missing or unreadable file is an empty value. */
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

/** Boards without PC firmware report model and serial number in the device tree. */
export function readFacts(lines: readonly string[]): HostFacts {
  const values = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  const value = (name: string): string | null => reportedValue(values.get(name) ?? '')
  return {
    hostName: value('hostName'),
    sn: value('sn') ?? value('boardSerial'),
    manufacturer: value('manufacturer'),
    product: value('product') ?? value('model'),
    system: reportedValue(unquoted(values.get('distribution') ?? '')) ?? value('kernel'),
    architecture: value('architecture'),
  }
}

/** Values in os-release may be quoted for a shell. */
const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2').replaceAll(/\\(["'$`\\])/g, '$1')
