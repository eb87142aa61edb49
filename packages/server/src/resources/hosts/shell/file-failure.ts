import { ApiError } from '@wharf/platform/api-error.ts'

/** The exit code of our scripts for something that stands where nothing may stand. */
export const existsExitCode = 17
/** Of our scripts when their input broke off: EX_TEMPFAIL. */
export const brokenOffExitCode = 75
/** To this our scripts add what `enter` answers, see fence.ts. */
export const fenceExitCode = 80

/** The scripts speak English, so that these are the words. */
const noSpace = /No space left on device|Disk quota exceeded/

/** A shell begins with the name of its script, which is a marker, and the line. */
const shellPrefix = /^[0-9a-f]{32}: (?:line )?\d+: /

/** Why work on a file failed, in the words of the host. */
export function fileFailure(host: string, doing: string, path: string, said: string): ApiError {
  const words = said
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
        .replace(shellPrefix, '')
        .trim(),
    )
    .filter((line) => line !== '')
    .slice(-3)
    .join('; ')
    .slice(-500)
  if (noSpace.test(words)) return new ApiError('SoftwarePackage.1121', `${host} has no space left for ${path}`)
  return new ApiError('SYS.1016', `${host} cannot ${doing} ${path}: ${words || 'it does not say why'}`)
}
