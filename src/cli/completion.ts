import { Argument, Command } from 'commander'
import type { Register } from './context.ts'

/** What may follow each command: the names below it, and its options. */
const followers = (command: Command, path = ''): [path: string, words: string[]][] => [
  [path, [...command.commands.map((one) => one.name()), ...command.options.map((one) => one.long ?? ''), '--help']],
  ...command.commands.flatMap((one) => followers(one, `${path} ${one.name()}`)),
]

/** For bash. zsh runs it, too, once `bashcompinit` is loaded; there, `path` and `words` would be variables of its own. */
const scriptOf = (program: Command): string => {
  const all = followers(program)
  const paths = all.flatMap(([path]) => (path === '' ? [] : [`'${path}'`]))
  return `_talkbridge() {
  local at= word found=
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$at $word" in
      ${paths.join('|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${all.map(([path, words]) => `    '${path}') found='${words.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _talkbridge talkbridge
`
}

const fishScriptOf = (program: Command): string => {
  const all = followers(program)
  const paths = all.flatMap(([path]) => (path === '' ? [] : [`'${path}'`]))
  return `function __talkbridge
  set -l at ''
  set -l typed (commandline -opc)
  set -e typed[1]
  for word in $typed
    switch "$at $word"
      case ${paths.join(' ')}
        set at "$at $word"
    end
  end
  switch "$at"
${all.map(([path, words]) => `    case '${path}'\n      printf '%s\\n' ${words.map((word) => `'${word}'`).join(' ')}`).join('\n')}
  end
end
complete -c talkbridge -a '(__talkbridge)'
`
}

/** `talkbridge completion bash`: completes commands, options and files. `load`: all commands. */
export const completionCommand =
  (load: () => Promise<Register[]>): Register =>
  (program, context) => {
    program
      .command('completion')
      .description('print a script for your shell, so that Tab completes commands and options')
      .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
      .addHelpText(
        'after',
        '\nAdd a line to ~/.bashrc or ~/.zshrc:  source <(talkbridge completion bash)\nFor fish, to ~/.config/fish/config.fish:  talkbridge completion fish | source',
      )
      .action(async (shell: string) => {
        const whole = new Command('talkbridge').version('')
        for (const register of await load()) register(whole, context)
        if (shell === 'fish') return context.stdout(fishScriptOf(whole))
        context.stdout((shell === 'zsh' ? 'autoload -Uz bashcompinit && bashcompinit\n' : '') + scriptOf(whole))
      })
  }
