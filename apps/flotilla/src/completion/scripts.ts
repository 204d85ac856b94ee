/** What shells run to complete a command line. Each calls `flotilla __complete` with the words, and offers files if there is no answer. */
export type Shell = 'bash' | 'zsh' | 'fish';

export const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];

const bash = `_flotilla() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _flotilla flotilla`;

/** A file in zsh's fpath is run as the function itself; a sourced one registers it. */
const zsh = `#compdef flotilla
_flotilla() {
  local -a found
  found=(\${(f)"$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
if [[ \${funcstack[1]} == _flotilla ]]; then _flotilla "$@"; else compdef _flotilla flotilla; fi`;

const fish = `function __flotilla_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (command $words[1] __complete $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c flotilla -f -a '(__flotilla_complete)'`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };

export function completionScript(shell: Shell): string {
  return scripts[shell];
}
