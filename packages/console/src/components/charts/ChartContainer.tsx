import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Spinner from '@cloudscape-design/components/spinner'
import type { ReactNode } from 'react'
import { ErrorAlert } from '../ErrorAlert.tsx'

interface ChartContainerProps<P extends string> {
  readonly title: string
  /** The label of the control that selects the period. */
  readonly label: string
  readonly periods: Readonly<Record<P, string>>
  readonly period: P
  readonly onPeriodChange: (period: P) => void
  readonly error: unknown
  /** Undefined while loading. */
  readonly children: ReactNode
}

/** Charts of a selected period, with their title. */
export function ChartContainer<P extends string>(props: ChartContainerProps<P>) {
  const { title, label, periods, period, onPeriodChange, error, children } = props
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <SegmentedControl
              label={label}
              selectedId={period}
              options={Object.entries<string>(periods).map(([id, text]) => ({ id, text }))}
              onChange={({ detail }) => onPeriodChange(detail.selectedId as P)}
            />
          }
        >
          {title}
        </Header>
      }
    >
      {error ? <ErrorAlert error={error} /> : null}
      {children === undefined && !error ? <Spinner /> : children}
    </Container>
  )
}
