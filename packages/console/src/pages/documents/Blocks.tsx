import Link from '@cloudscape-design/components/link'
import { createElement, Fragment, type ReactNode } from 'react'
import { targetOf } from './document-link.ts'
import type { Block, Inline } from './markdown.ts'

interface BlocksProps {
  readonly blocks: readonly Block[]
  readonly documentName: string
}

export function Blocks({ blocks, documentName }: BlocksProps) {
  return each(blocks, (block) => <BlockContent block={block} documentName={documentName} />)
}

/** The parts of a text do not change, so that their positions identify them, and they need no keys. */
const each = <T,>(parts: readonly T[], show: (part: T) => ReactNode): ReactNode =>
  createElement(Fragment, null, ...parts.map(show))

function BlockContent({ block, documentName }: { block: Block; documentName: string }) {
  const inline = (content: readonly Inline[]) => <InlineContent content={content} documentName={documentName} />
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${Math.min(block.level, 5)}` as 'h2'
      return <Heading id={block.id}>{inline(block.content)}</Heading>
    }
    case 'paragraph':
      return <p>{inline(block.content)}</p>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long code scrolls, also with the keyboard
        <pre className="log" tabIndex={0}>
          {block.text}
        </pre>
      )
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List>
          {each(block.items, (item) => (
            <li>
              <Blocks blocks={item} documentName={documentName} />
            </li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, also with the keyboard
        <div className="document-table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {each(block.header, (cell) => (
                  <th>{inline(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {each(block.rows, (row) => (
                <tr>
                  {each(row, (cell) => (
                    <td>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
  }
}

function InlineContent({ content, documentName }: { content: readonly Inline[]; documentName: string }) {
  return each(content, (part) => <InlinePart part={part} documentName={documentName} />)
}

function InlinePart({ part, documentName }: { part: Inline; documentName: string }) {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <code>{part.text}</code>
    case 'break':
      return <br />
    case 'strong':
      return (
        <strong>
          <InlineContent content={part.content} documentName={documentName} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <InlineContent content={part.content} documentName={documentName} />
        </em>
      )
    case 'link': {
      const href = targetOf(part.target, documentName)
      const text = <InlineContent content={part.content} documentName={documentName} />
      if (href === undefined) return text
      return (
        <Link href={href} external={!href.startsWith('#')}>
          {text}
        </Link>
      )
    }
  }
}
