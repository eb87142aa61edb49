/**
 * Each script calls `wharf __complete` with the words of the command line; the last one is incomplete. `__describe` prints a tab
 * and a description after each candidate. A candidate that ends with `=` gets no blank, because a value follows.
 */
export const scripts = {
  bash: `_wharf() {
  local IFS=$'\\n' command=__complete word name i width=0 isValue=
  local -a words=()
  # bash separates words at = : and @, and keeps the backslashes before spaces
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    word=\${word//\\\\/}
    if [[ \${#words[@]} -gt 0 && ( $word =~ ^[=:@]+$ || -n $isValue ) ]]; then words[-1]+=$word; else words+=("$word"); fi
    [[ $word =~ ^[=:@]+$ ]] && isValue=yes || isValue=
  done
  # a second tab lists the candidates: only then descriptions help
  [[ $COMP_TYPE == 63 ]] && command=__describe
  # a name such as * is not expanded to files
  mapfile -t COMPREPLY < <("\${COMP_WORDS[0]}" $command "\${words[@]}" 2>/dev/null)
  # only what follows the last of them is replaced
  word=\${words[-1]}
  word=\${word%"\${word##*[=:@]}"}
  for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=\${COMPREPLY[i]#"$word"}; done
  if [[ $command == __describe && \${#COMPREPLY[@]} -gt 1 ]]; then
    for name in "\${COMPREPLY[@]}"; do name=\${name%%$'\\t'*}; ((\${#name} > width)) && width=\${#name}; done
    for i in "\${!COMPREPLY[@]}"; do
      [[ \${COMPREPLY[i]} == *$'\\t'?* ]] || continue
      printf -v name '%-*s  (%s)' "$width" "\${COMPREPLY[i]%%$'\\t'*}" "\${COMPREPLY[i]#*$'\\t'}"
      COMPREPLY[i]=\${name:0:\${COLUMNS:-80}-1}
    done
    return
  fi
  [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace
  for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]=$(printf '%q' "\${COMPREPLY[i]%%$'\\t'*}"); done
}
complete -o default -F _wharf wharf
`,
  zsh: `#compdef wharf
_wharf() {
  local -a lines candidates displays values typed
  local line word width=0
  # PREFIX has no opening quote, which a word of the command line has
  typed=("\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}")
  lines=("\${(@f)$("\${words[1]}" __describe "\${(@)typed}" 2>/dev/null)}")
  [[ -n "\${lines[1]}" ]] || { _files; return }
  for line in "\${(@)lines}"; do word=\${line%%$'\\t'*}; (( \${#word} > width )) && width=\${#word}; done
  for line in "\${(@)lines}"; do
    word=\${line%%$'\\t'*}
    candidates+=("$word")
    [[ "$line" == *$'\\t'?* ]] && displays+=("\${(r:$width:)word}  -- \${line#*$'\\t'}") || displays+=("$word")
  done
  # compadd quotes names with spaces; a value follows what ends with =
  values=("\${(@M)candidates:#*=}")
  (( \${#values} > 0 )) && compadd -l -S '' -d displays -a candidates || compadd -l -d displays -a candidates
}
if [[ "\${funcstack[1]}" == _wharf ]]; then _wharf "$@"; else compdef _wharf wharf; fi
`,
  fish: `function __wharf_complete
  set -l words (commandline -opc)
  # the current word is as typed: with backslashes, and perhaps with an opening quote
  set -l current (commandline -ct | string replace -r '^["\\']' '' | string unescape)
  $words[1] __describe $words[2..-1] "$current" 2>/dev/null
end
complete -c wharf -f -a '(__wharf_complete)'
complete -c wharf -n '__fish_seen_subcommand_from upload' -F
`,
} as const
