import { type JobTitle, jobTitles } from '@wharf/contract'
import { defineMessages } from '../../i18n/messages.ts'
import { zh } from './titles.ts'

export const messages = defineMessages<Record<keyof typeof jobTitles, JobTitle>>({ en: jobTitles, zh })
