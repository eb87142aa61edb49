import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Popover from '@cloudscape-design/components/popover'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { serverUrl } from '../../data/session.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { type ApiCall, curlCommands, wharfCommands } from './command-text.ts'
import { messages } from './messages.ts'

/** Shows the same calls as commands of a shell, to copy. */
export function CopyAsCommand({ calls }: { calls: readonly ApiCall[] }) {
  const t = useMessages(messages)
  const commands = [
    [t.wharf, wharfCommands(calls)],
    [t.curl, curlCommands(calls, serverUrl)],
  ] as const
  return (
    <Popover
      header={t.title}
      size="large"
      position="bottom"
      triggerType="custom"
      renderWithPortal
      dismissAriaLabel={t.close}
      content={
        <SpaceBetween size="s">
          {commands.map(([label, command]) => (
            <div key={label}>
              <SpaceBetween direction="horizontal" size="xs" alignItems="center">
                <Box variant="awsui-key-label">{label}</Box>
                <CopyToClipboard
                  variant="icon"
                  textToCopy={command}
                  copyButtonAriaLabel={t.copy(label)}
                  copySuccessText={t.copied}
                  copyErrorText={t.notCopied}
                />
              </SpaceBetween>
              <pre className="log">{command}</pre>
            </div>
          ))}
          <Box variant="small" color="text-body-secondary">
            {t.variables}
          </Box>
        </SpaceBetween>
      }
    >
      <Button iconName="script" formAction="none" ariaLabel={t.title} />
    </Popover>
  )
}
