/**
 * Whether each case runs (`npm run test:full`, which `.ci/run` calls), or a selection that shows every promise (`npm test`).
 */
export const isFull = process.env['TEST_FULL'] === '1'
