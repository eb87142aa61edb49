import { ApiError } from '@wharf/platform/api-error.ts'

/** The exit code of our scripts when the path exists. */
export const existsExitCode = 17
/** The exit code of our scripts for incomplete input: EX_TEMPFAIL. */
export const incompleteInputExitCode = 75
/** Our scripts add the result of `enter` to this, see fence.ts. */
export const fenceExitCode = 80

/** The scripts run with LC_ALL=C. */
const noSpace = /No space left on device|Disk quota exceeded/

/** A shell's messages start with the name of its script, which is a marker, and the line. */
const shellPrefix = /^[0-9a-f]{32}: (?:line )?\d+: /

/** Describes the failure with the last lines that the host printed. */
export function fileFailure(host: string, action: string, path: string, stderr: string): ApiError {
  const reason = stderr
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
  if (noSpace.test(reason))
    return new ApiError('SoftwarePackage.1121', `${host} has no space left for ${path}; free some there`)
  return new ApiError('SYS.1016', `${host} cannot ${action} ${path}: ${reason || 'it gave no reason'}`)
}
