import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import type { ReactNode } from 'react'
import { useIsNarrow } from '../../browser/use-is-narrow.ts'
import { chooseTimeZone } from '../../i18n/time-zone.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { FullScreen } from './use-full-screen.ts'
import { type LogView, timesChoice, wrapChoice } from './use-log-view.ts'

interface Props {
  readonly search: ReactNode
  readonly view: LogView
  readonly fullScreen: FullScreen
  readonly isDownloading: boolean
  /** Undefined for a job without a failure. */
  readonly onJumpToError: (() => void) | undefined
  onDownload(): void
}

export function LogToolbar({ search, view, fullScreen, isDownloading, onJumpToError, onDownload }: Props) {
  const t = useMessages(messages)
  const isNarrow = useIsNarrow()
  const { isWrapped, hasTimes, zone } = view
  const choose = (id: string, isOn: boolean): void => {
    if (id === 'wrap') wrapChoice.write(isOn ? 'on' : 'off')
    else if (id === 'timestamps') timesChoice.write(isOn ? 'on' : 'off')
    else chooseTimeZone(isOn ? 'utc' : 'local')
  }
  return (
    <div className="log-toolbar">
      {search}
      <div className="log-actions">
        {onJumpToError ? (
          <Button iconName="status-negative" ariaLabel={t.jumpToError} onClick={onJumpToError}>
            {isNarrow ? null : t.jumpToError}
          </Button>
        ) : null}
        <ButtonDropdown
          items={[
            { id: 'wrap', text: t.wrap, itemType: 'checkbox', checked: isWrapped },
            { id: 'timestamps', text: t.timestamps, itemType: 'checkbox', checked: hasTimes },
            { id: 'utc', text: t.utc, itemType: 'checkbox', checked: zone === 'utc' },
          ]}
          onItemClick={({ detail }) => choose(detail.id, detail.checked ?? false)}
        >
          {t.view}
        </ButtonDropdown>
        <Button iconName="download" ariaLabel={t.download} loading={isDownloading} onClick={onDownload} />
        {fullScreen.isPossible ? (
          <Button
            iconName={fullScreen.isOn ? 'exit-full-screen' : 'full-screen'}
            ariaLabel={fullScreen.isOn ? t.exitFullScreen : t.fullScreen}
            onClick={fullScreen.toggle}
          />
        ) : null}
      </div>
    </div>
  )
}
