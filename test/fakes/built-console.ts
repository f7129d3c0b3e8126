import { freshConsole } from '../../scripts/build-console.ts'
import { freshGuide } from '../../scripts/build-guide.ts'

/** Before any test: the pages at /console and /docs/guide, as their sources are now. */
export const setup = async (): Promise<void> => {
  await freshConsole()
  await freshGuide()
}
