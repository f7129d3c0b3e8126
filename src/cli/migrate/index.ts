import type { Register } from '../context.ts'
import { addReport } from './report.ts'

/** `talkbridge migrate …`: from one backend to another. */
export const migrateCommand: Register = (program, context) => {
  const migrate = program.command('migrate').description('move from one backend to another')
  addReport(migrate, context)
}
