import type { Register } from '../context.ts'
import { resumeCommand, rollbackCommand, stepCommand } from './change.ts'
import { addReport } from './report.ts'
import { statusCommand } from './status.ts'

const COMMANDS = [addReport, statusCommand, stepCommand, rollbackCommand, resumeCommand]

/** `talkbridge migrate …`: moves clients from one backend to the other. Talks to the running gateway. */
export const migrateCommand: Register = (program, context) => {
  const migrate = program.command('migrate').description('move to another backend a little at a time, and back')
  for (const register of COMMANDS) register(migrate, context)
}
