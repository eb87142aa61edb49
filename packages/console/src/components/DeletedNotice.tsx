import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'

interface DeletedNoticeProps {
  readonly text: string
  readonly href: string
  readonly toList: string
  /** Another link. */
  readonly children?: ReactNode
}

export const DeletedNotice = ({ text, href, toList, children }: DeletedNoticeProps) => (
  <Box textAlign="center" padding="xxl">
    <SpaceBetween size="s">
      <Box variant="h1">{text}</Box>
      <Link href={href}>{toList}</Link>
      {children}
    </SpaceBetween>
  </Box>
)
