import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Block, type Inline, parseInline, parseMarkdown } from './markdown.ts'

const text = (value: string): Inline => ({ kind: 'text', text: value })

test('headings have the ids that links to them use', () => {
  const ids = parseMarkdown('# The command `wharf`\n\n## Jobs, keys, accounts\n### 10,000 hosts, 10⁷ packages').map(
    (block) => (block.kind === 'heading' ? [block.level, block.id] : block.kind),
  )
  assert.deepEqual(ids, [
    [1, 'the-command-wharf'],
    [2, 'jobs-keys-accounts'],
    [3, '10000-hosts-10⁷-packages'],
  ])
})

test('the lines of a paragraph are joined; images are left out', () => {
  const blocks = parseMarkdown('one\ntwo\n\n![a](b.png)\n<img src="c.png" alt="c">\nthree')
  assert.deepEqual(blocks, [
    { kind: 'paragraph', content: [text('one two')] },
    { kind: 'paragraph', content: [text('three')] },
  ])
})

test('code keeps its lines, and what looks like Markdown', () => {
  assert.deepEqual(parseMarkdown('```sh name\n# a comment\n\n| x\n```\nafter'), [
    { kind: 'code', text: '# a comment\n\n| x' },
    { kind: 'paragraph', content: [text('after')] },
  ])
})

test('tables have cells with inline parts', () => {
  const [table] = parseMarkdown('| a | b |\n|---|---|\n| `x\\|y` | one<br>two |') as Extract<Block, { kind: 'table' }>[]
  assert.deepEqual(table?.header, [[text('a')], [text('b')]])
  assert.deepEqual(table?.rows, [[[{ kind: 'code', text: 'x|y' }], [text('one'), { kind: 'break' }, text('two')]]])
})

test('the items of a list have paragraphs, code and lists', () => {
  const blocks = parseMarkdown('1. one\n   more\n\n   ```\n   code\n   ```\n2. two\n   - inner\nlazy\n\nafter')
  assert.deepEqual(blocks, [
    {
      kind: 'list',
      isOrdered: true,
      items: [
        [
          { kind: 'paragraph', content: [text('one more')] },
          { kind: 'code', text: 'code' },
        ],
        [
          { kind: 'paragraph', content: [text('two')] },
          { kind: 'list', isOrdered: false, items: [[{ kind: 'paragraph', content: [text('inner lazy')] }]] },
        ],
      ],
    },
    { kind: 'paragraph', content: [text('after')] },
  ])
})

test('inline parts nest', () => {
  assert.deepEqual(parseInline('see [`wharf`](cli.md#output) and **the [rest](x.md)**.'), [
    text('see '),
    { kind: 'link', target: 'cli.md#output', content: [{ kind: 'code', text: 'wharf' }] },
    text(' and '),
    { kind: 'strong', content: [text('the '), { kind: 'link', target: 'x.md', content: [text('rest')] }] },
    text('.'),
  ])
})

test('emphasis, and an address as a link', () => {
  const address = 'http://127.0.0.1:8080/'
  assert.deepEqual(parseInline(`*back* to <${address}>`), [
    { kind: 'emphasis', content: [text('back')] },
    text(' to '),
    { kind: 'link', target: address, content: [text(address)] },
  ])
})

const docs = new URL('../../../../../docs/', import.meta.url)
for (const name of globSync('*.md', { cwd: docs }))
  test(`docs/${name} is read completely`, () => {
    const blocks = parseMarkdown(readFileSync(new URL(name, docs), 'utf8'))
    assert.equal(blocks[0]?.kind, 'heading')
    const texts = blocks.flatMap((block) => (block.kind === 'paragraph' ? block.content : []))
    for (const part of texts) if (part.kind === 'text') assert.doesNotMatch(part.text, /```|^\||\]\(|\*\*|^#+ /)
  })
