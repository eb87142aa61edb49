import type { WireError } from './errors.ts'

/** The texts of ID.1000 for a credential that does not match. One text for every reason, so that it does not reveal the reason. */
export const wrongCredential = {
  password: 'wrong name or password',
  accessKey: 'wrong accessKey signature, or access key id unknown or disabled',
} as const

/** Other texts of ID.1000, such as those of an expired key or a wrong second factor, name their own remedy. */
export const isWrongCredential = ({ code, details }: Pick<WireError, 'code' | 'details'>): boolean =>
  code === 'ID.1000' && Object.values(wrongCredential).some((text) => details.startsWith(text))
