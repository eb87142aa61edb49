import { ApiError } from '@wharf/platform/api-error.ts'

/** A stranger's file name, safe to print. */
const quoted = (name: string): string => JSON.stringify(name.slice(0, 120))

/** The package as a whole is refused for one of its images. */
export const refuseImage = (name: string, rule: string): ApiError =>
  new ApiError('SoftwarePackage.1132', `the image ${quoted(name)} ${rule}`)
