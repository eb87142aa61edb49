import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'

export const DeletedNotice = ({ text, href, toList }: { text: string; href: string; toList: string }) => (
  <Box textAlign="center" padding="xxl">
    <SpaceBetween size="s">
      <Box variant="h1">{text}</Box>
      <Link href={href}>{toList}</Link>
    </SpaceBetween>
  </Box>
)
