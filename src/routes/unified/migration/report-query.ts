import { z } from 'zod'
import { BackendName } from '../../parse.ts'
import { sinceParam } from './since.ts'

export const MigrationReportQuery = z.strictObject({
  from: BackendName.describe('The backend whose recorded requests are checked').meta({ example: 'main' }),
  to: BackendName.describe('The backend that they are checked against').meta({ example: 'alt' }),
  since: sinceParam('30d', 'Only videos created since this time'),
})
