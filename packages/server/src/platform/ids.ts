import { randomUUID } from 'node:crypto'

/** A new resource id: 32 lower-case hex digits, 122 random bits. */
export const newUuid = (): string => randomUUID().replaceAll('-', '')
