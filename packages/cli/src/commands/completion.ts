import { command } from '../command.ts'
import { scripts } from '../completion/scripts.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export const completion = command({
  name: 'completion',
  summary: 'Print a shell completion script',
  more: 'Completes commands, options and the names of records.',
  arguments: { '<shell>': { help: 'shell', choices: shells } },
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/wharf',
    'completion zsh > "$' + '{fpath[1]}/_wharf"',
    'completion fish > ~/.config/fish/completions/wharf.fish',
  ],
  async run(cli, { shell }) {
    const script = scripts[shell as (typeof shells)[number]]
    cli.out.text(script, { shell, script })
  },
})
