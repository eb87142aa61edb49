import { valueStore } from '../../browser/value-store.ts'

const opened = valueStore<'find' | 'keys' | undefined>(undefined)

export const openFind = (): void => opened.set('find')
export const openKeys = (): void => opened.set('keys')
export const closeFind = (): void => opened.set(undefined)

/** The dialog that a key or a button has opened. */
export const useOpenedFind = opened.use
