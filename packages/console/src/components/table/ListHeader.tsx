import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { CopyAsCommand } from '../copy-command/CopyAsCommand.tsx'
import { BulkActionMenu } from './bulk/BulkActionMenu.tsx'
import type { Column } from './column.ts'
import { ExportMenu } from './export/ExportMenu.tsx'
import type { ListProps } from './list-props.ts'
import { messages } from './messages.ts'
import type { TableSource } from './table-source.ts'

interface ListHeaderProps<R>
  extends Pick<ListProps<R>, 'title' | 'description' | 'isSection' | 'path' | 'actions' | 'bulkActions'> {
  readonly source: TableSource<R>
  /** The shown columns. */
  readonly shown: readonly Column<R>[]
  readonly selected: readonly R[]
  readonly keyOf: (record: R) => string
  readonly nameOf: (record: R) => string
  /** A bulk action has run. */
  readonly onDone: () => void
}

export function ListHeader<R>(props: ListHeaderProps<R>) {
  const { title, description, isSection, path, actions, bulkActions = [], source, shown, selected } = props
  const t = useMessages(messages)
  const format = useFormat()
  const { total, isFetching, refetch, readAll } = source
  const counted = [...(selected.length > 0 ? [selected.length] : []), ...(total === undefined ? [] : [total])]
  return (
    <Header
      variant={isSection ? 'h2' : 'h1'}
      {...(description !== undefined && { description })}
      {...(total !== undefined && { counter: `(${counted.map(format.number).join('/')})` })}
      actions={
        <SpaceBetween direction="horizontal" size="xs" alignItems="end">
          <Button iconName="refresh" ariaLabel={t.refresh} loading={isFetching} onClick={refetch} />
          <ExportMenu
            name={path.join('-')}
            columns={shown.filter(({ isReadPerCell }) => !isReadPerCell)}
            total={total}
            readAll={readAll}
          />
          {source.call ? <CopyAsCommand calls={[source.call]} /> : null}
          {bulkActions.length > 0 ? (
            <BulkActionMenu
              actions={bulkActions}
              selected={selected}
              keyOf={props.keyOf}
              nameOf={props.nameOf}
              onDone={props.onDone}
            />
          ) : null}
          {actions}
        </SpaceBetween>
      }
    >
      {title}
    </Header>
  )
}
