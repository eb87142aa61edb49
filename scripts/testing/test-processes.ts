/**
 * These judge the memory, the open files or the timers of the process they run in, which must therefore be theirs
 * alone.
 */
const judgeTheirProcess = [
  'packages/server/src/app.test.ts',
  'packages/server/src/downloads/file-source.test.ts',
  'packages/server/src/elaborations/hostile.test.ts',
  'packages/server/src/software-packages/archives/hostile.test.ts',
  'packages/server/src/software-packages/archives/zip.test.ts',
]

const isAlone = (file: string): boolean =>
  /\.(slow|long)\.test\.ts$/.test(file) || judgeTheirProcess.some((lone) => file.endsWith(lone))

const maxFilesTogether = 25
/** A handful of files is rather spread over the cores than run one after the other. */
const minProcesses = 6

/**
 * Which files share a process: to load the server costs more than most files do with it. Slow ones have one to
 * themselves and begin first, so that the end of a run does not wait for the last of them.
 */
export function shareOut(files: readonly string[]): string[][] {
  const together = files.filter((file) => !isAlone(file))
  const size = Math.min(maxFilesTogether, Math.ceil(together.length / minProcesses))
  const groups = Array.from({ length: Math.ceil(together.length / Math.max(size, 1)) }, (_, index) =>
    together.slice(index * size, (index + 1) * size),
  )
  return [...files.filter(isAlone).map((file) => [file]), ...groups]
}
