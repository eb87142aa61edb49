import { defineMessages } from '../../i18n/messages.ts'
import { en, type Title, zh } from './titles.ts'

export const messages = defineMessages<Record<keyof typeof en, Title>>({ en, zh })
