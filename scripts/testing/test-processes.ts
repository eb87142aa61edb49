/**
 * These judge the memory, the open files or the timers of the process they run in, or how it takes load, and must
 * therefore have it to themselves.
 */
export const judgeTheirProcess = [
  /\/composition\/app\.test\.ts$/,
  /\/downloads\/src\/(download-memory\.slow|file-source)\.test\.ts$/,
  /\/elaborations\/src\/hostile\.test\.ts$/,
  /\/archives\/src\/(hostile|zip)\.test\.ts$/,
  /\/reliability\/src\/.*\.slow\.test\.ts$/,
]
const isLong = /\.long\.test\.ts$/
const isSlow = /\.slow\.test\.ts$/

const maxQuickTogether = 25
/** Fewer, so that a run does not end with one process that has many of them left. */
const maxSlowTogether = 4
/** A handful of files is rather spread over the cores than run one after the other. */
const minProcesses = 6

/**
 * Which files share a process, one after the other: to load the server costs more than most files do with it. Neighbours
 * do, so that slow files of one folder, which need the same things, browsers say, do not all run at the same time. The slow
 * ones begin first, so that the end of a run does not wait for the last of them.
 */
export function shareOut(files: readonly string[]): string[][] {
  const isAlone = (file: string): boolean => isLong.test(file) || judgeTheirProcess.some((those) => those.test(file))
  const shared = files.filter((file) => !isAlone(file))
  return [
    ...files.filter(isAlone).map((file) => [file]),
    ...inGroups(
      shared.filter((file) => isSlow.test(file)),
      maxSlowTogether,
    ),
    ...inGroups(
      shared.filter((file) => !isSlow.test(file)),
      maxQuickTogether,
    ),
  ]
}

function inGroups(files: readonly string[], max: number): string[][] {
  const size = Math.min(max, Math.ceil(files.length / minProcesses))
  return Array.from({ length: Math.ceil(files.length / Math.max(size, 1)) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  )
}
