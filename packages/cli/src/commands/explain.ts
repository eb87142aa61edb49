import type { AnswerOf, getElaborations } from '@wharf/contract'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { CommandError } from '../errors.ts'
import { printable, printableLines } from '../output/printable.ts'

const code = /^[A-Za-z]+\.\d+$/

/** Precedes keyword matches. */
const byKeyword = {
  en: 'No entry explains this text. Entries with its keywords:',
  zh: '没有条目能解释这段文字。以下条目包含其中的词语：',
} as const

type Content = AnswerOf<typeof getElaborations>['contents'][number]

export const explain = command({
  name: 'explain',
  summary: 'Explain an error code or text, or search the explanations',
  arguments: { '<text...>': { help: 'a code such as HOST.1003, an error text, or keywords' } },
  examples: ['explain HOST.1003', 'explain "No space left on device"', 'explain certificate'],
  async run(cli, { text }) {
    const wharf = await cli.wharf()
    const query = text.join(' ')
    const { contents } = await wharf.elaborations.find(code.test(query) ? { code: query } : { regex: query })
    if (contents.length === 0) throw new CommandError(`no explanation for ${printable(query)}`)
    if (!cli.out.isTable) return cli.out.list(contents, [])
    if (!code.test(query) && contents[0]?.method === null) cli.out.raw(`${byKeyword[cli.language]}\n`)
    const messages = new Map<string, Set<string>>()
    for (const content of contents) {
      const name = `${content.category}.${content.code}`
      messages.set(name, (messages.get(name) ?? new Set()).add(messageOf(cli, content)))
    }
    for (const [name, texts] of messages)
      cli.out.raw(`${name}\n${[...texts].map((message) => `  ${message}\n`).join('')}`)
  },
})

const messageOf = ({ language }: Cli, { message_en: en, message_cn: zh }: Content): string =>
  printableLines((language === 'zh' ? (zh ?? en) : (en ?? zh)) ?? '').replaceAll('\n', '\n  ')
