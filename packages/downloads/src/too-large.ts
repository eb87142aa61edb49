import { ApiError } from '@wharf/platform/api-error.ts'

export const tooLarge = (what: string, maxBytes: number): ApiError =>
  new ApiError(
    'SYS.1007',
    `${what}: a package may have at most ${maxBytes} bytes (WHARF_MAX_PACKAGE_BYTES); make it smaller, or raise the limit`,
    {
      status: 413,
    },
  )
