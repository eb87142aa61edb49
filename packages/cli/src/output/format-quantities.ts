const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** `1.5 GiB` */
export function formatBytes(count: number): string {
  let value = count
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

const ageUnits = [
  { seconds: 86_400, unit: 'd' },
  { seconds: 3600, unit: 'h' },
  { seconds: 60, unit: 'm' },
] as const

/** `42s`, `5m`, `3h`, `12d`: the largest unit. */
export function formatAge(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const found = ageUnits.find((unit) => whole >= unit.seconds)
  return found === undefined ? `${whole}s` : `${Math.floor(whole / found.seconds)}${found.unit}`
}

/** `0:42`, `1:02:03` */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
