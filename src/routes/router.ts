import { Router } from 'express'

/**
 * Paths match to the letter, with no slash too many: a rule of a proxy for one path is then a rule for all that the
 * gateway takes for it. For every router, since none inherits from the one that it is under.
 */
export const createRouter = (): Router => Router({ caseSensitive: true, strict: true })
