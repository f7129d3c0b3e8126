import { sandboxCommand as describe } from '@talkbridge/sandbox/command'
import type { Register } from './context.ts'

/** `talkbridge sandbox`: the command of the package, under this program. */
export const sandboxCommand: Register = (program, context) => void describe(program.command('sandbox'), context)
