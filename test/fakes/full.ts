/**
 * Whether each case runs (`npm run test:full`, as in `.ci/run`), or a selection that shows every promise (`npm test` and
 * `npm run test:system`).
 */
export const isFull = process.env['TEST_FULL'] === '1'
