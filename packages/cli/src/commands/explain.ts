import type { AnswerOf, getElaborations } from '@wharf/contract'
import type { Cli } from '../cli.ts'
import { command } from '../command.ts'
import { printable, printableLines } from '../output/printable.ts'
import { Refusal } from '../refusals.ts'

const code = /^[A-Za-z]+\.\d+$/

/** Before entries that contain the words of a text, where none explains it. */
const byKeyword = {
  en: 'No entry explains this text. These contain its words:',
  zh: '没有条目能解释这段文字。以下条目包含其中的词语：',
} as const

type Content = AnswerOf<typeof getElaborations>['contents'][number]

export const explain = command({
  name: 'explain',
  summary: 'Explain an error text or an error code, or search the explanations',
  arguments: { '<text...>': { help: 'a code such as HOST.1003, the text of an error, or keywords' } },
  examples: ['explain HOST.1003', 'explain "No space left on device"', 'explain certificate'],
  async run(cli, { text }) {
    const wharf = await cli.wharf()
    const words = text.join(' ')
    const { contents } = await wharf.elaborations.find(code.test(words) ? { code: words } : { regex: words })
    if (contents.length === 0) throw new Refusal(`nothing is known about ${printable(words)}`)
    if (cli.out.form !== 'table') return cli.out.list(contents, [])
    if (!code.test(words) && contents[0]?.method === null) cli.out.raw(`${byKeyword[cli.language]}\n`)
    for (const [name, ofCode] of Map.groupBy(contents, ({ category, code: number }) => `${category}.${number}`)) {
      const messages = new Set(ofCode.map((content) => wordsOf(cli, content)))
      cli.out.raw(`${name}\n${[...messages].map((message) => `  ${message}\n`).join('')}`)
    }
  },
})

const wordsOf = ({ language }: Cli, { message_en: en, message_cn: zh }: Content): string =>
  printableLines((language === 'zh' ? (zh ?? en) : (en ?? zh)) ?? '').replaceAll('\n', '\n  ')
