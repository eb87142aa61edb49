import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Steps, { type StepsProps } from '@cloudscape-design/components/steps'
import { linkTo } from '../../browser/route.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { useEndpointCount, useHostCounts, usePackageCounts } from './counts.ts'
import { messages } from './messages.ts'

/** With this many packages the guide is not needed. */
const fewPackages = 3

/** A guide for a new server, until a package is installed. */
export function FirstSteps() {
  const t = useMessages(messages)
  const format = useFormat()
  const hosts = useHostCounts().counts.up
  const packages = usePackageCounts().counts
  const endpoints = useEndpointCount()
  const { installed } = packages
  const uploaded = Object.values(packages).reduce((sum, count = 0) => (sum ?? 0) + count, 0) ?? 0
  if (hosts === undefined || installed === undefined || endpoints === undefined) return null
  if (hosts > 0 && (installed > 0 || uploaded >= fewPackages)) return null
  const { first } = t
  const step = (
    title: string,
    help: string,
    count: number,
    done: (count: string) => string,
    href: string,
  ): StepsProps.Step => ({
    status: count > 0 ? 'success' : 'pending',
    statusIconAriaLabel: count > 0 ? first.done : first.next,
    header: <Link href={href}>{title}</Link>,
    details: <Box color="text-body-secondary">{count > 0 ? done(format.number(count)) : help}</Box>,
  })
  return (
    <Container header={<Header variant="h2">{first.title}</Header>}>
      <SpaceBetween size="s">
        <Box>{first.intro}</Box>
        <Steps
          ariaLabel={first.title}
          steps={[
            step(first.host, first.hostHelp, hosts, first.hostDone, linkTo(['hosts', 'add'])),
            step(first.upload, first.uploadHelp, uploaded, first.uploadDone, linkTo(['packages'], { upload: 'yes' })),
            step(
              first.install,
              first.installHelp,
              installed,
              first.installDone,
              linkTo(['packages'], { q: 'status=Uploaded' }),
            ),
            step(first.chat, first.chatHelp, endpoints, first.chatDone, linkTo(['chat'])),
          ]}
        />
      </SpaceBetween>
    </Container>
  )
}
