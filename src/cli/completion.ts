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

/** `talkbridge completion bash`: completes commands, options and files. `load`: all commands. */
export const completionCommand =
  (load: () => Promise<Register[]>): Register =>
  (program, context) => {
    program
      .command('completion')
      .description('print a script for your shell, so that Tab completes commands and options')
      .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
      .addHelpText('after', '\nAdd a line to ~/.bashrc or ~/.zshrc:  source <(talkbridge completion bash)')
      .action(async (shell: string) => {
        const whole = new Command('talkbridge').version('')
        for (const register of await load()) register(whole, context)
        context.stdout((shell === 'zsh' ? 'autoload -Uz bashcompinit && bashcompinit\n' : '') + scriptOf(whole))
      })
  }
