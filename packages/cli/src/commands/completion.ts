import { command } from '../command.ts'
import { scripts } from '../completion/scripts.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export const completion = command({
  name: 'completion',
  summary: 'Print the completion script of a shell',
  more: 'Commands, options, and the names of what the server has are completed.',
  arguments: { '<shell>': { help: 'which shell', choices: shells } },
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
