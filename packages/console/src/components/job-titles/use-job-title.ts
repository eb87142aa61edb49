import { jobTitle, type NamedJob } from '@wharf/contract'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** Returns the title of a job in the language of the user: `Install exporter 2.1.0 on web-1`. */
export function useJobTitle(): (job: NamedJob) => string {
  const t = useMessages(messages)
  return (job) => jobTitle(job, t)
}
