import { inBoth } from '../../words/words.ts'
import { en, type Title, zh } from './titles.ts'

export const words = inBoth<Record<keyof typeof en, Title>>({ en, zh })
