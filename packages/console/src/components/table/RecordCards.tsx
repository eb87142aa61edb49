import Cards, { type CardsProps } from '@cloudscape-design/components/cards'
import { Fragment, type ReactNode } from 'react'
import type { Column } from './column.ts'
import { cellOf } from './column-definition.tsx'
import './table.css'

/** Shown beside the name. */
const statusFields = ['status', 'state', 'outcome']

/** A card has less space than a row. */
const maxFacts = 3

interface RecordCardsProps<R>
  extends Pick<
    CardsProps<R>,
    'items' | 'loading' | 'header' | 'filter' | 'pagination' | 'preferences' | 'empty' | 'variant'
  > {
  /** The shown columns. */
  readonly columns: readonly Column<R>[]
  readonly keyOf: (record: R) => string
  readonly rowActions: ((record: R) => ReactNode) | undefined
  /** Undefined if the records cannot be selected. */
  readonly selection:
    | Required<Pick<CardsProps<R>, 'selectionType' | 'selectedItems' | 'onSelectionChange' | 'ariaLabels'>>
    | undefined
  readonly none: string
}

/** The rows of a list on a phone: the name, the status, a few facts and the actions. */
export function RecordCards<R>({ columns, keyOf, rowActions, selection, none, ...cards }: RecordCardsProps<R>) {
  const [title, ...others] = columns
  const status = others.find(({ field }) => statusFields.includes(field))
  const facts = others.filter((column) => column !== status).slice(0, maxFacts)
  return (
    <Cards<R>
      {...cards}
      {...selection}
      trackBy={keyOf}
      cardsPerRow={[{ cards: 1 }]}
      cardDefinition={{
        header: (record) => (
          <span className="card-title">
            {title ? cellOf(title, record, none) : null}
            {status ? <span className="card-status">{cellOf(status, record, none)}</span> : null}
          </span>
        ),
        sections: [
          {
            id: 'facts',
            content: (record) => (
              <dl className="card-facts">
                {facts.map((column) => (
                  <Fragment key={column.field}>
                    <dt>{column.label}</dt>
                    <dd>{cellOf(column, record, none)}</dd>
                  </Fragment>
                ))}
              </dl>
            ),
          },
          ...(rowActions ? [{ id: 'actions', content: rowActions }] : []),
        ],
      }}
    />
  )
}
