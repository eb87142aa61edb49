/** Each script calls `wharf __complete` with the words of the command line; the last one is incomplete. */
export const scripts = {
  bash: `_wharf() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  # names may contain blanks
  local i
  for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=$(printf '%q' "\${COMPREPLY[i]}"); done
}
complete -o default -F _wharf wharf
`,
  zsh: `#compdef wharf
_wharf() {
  local -a candidates
  candidates=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then compadd -Q -a candidates; else _files; fi
}
if [[ "\${funcstack[1]}" == _wharf ]]; then _wharf "$@"; else compdef _wharf wharf; fi
`,
  fish: `function __wharf_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c wharf -f -a '(__wharf_complete)'
complete -c wharf -n '__fish_seen_subcommand_from upload' -F
`,
} as const
