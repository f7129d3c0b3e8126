/** What a page measures of itself. As text: it runs in the browser. */

/**
 * How long the machine, as busy as it is, takes to lay out a hundred plain rows: in milliseconds, of a hundred frames, the
 * longest first.
 */
export const LAY_OUT_BARE_ROWS = `new Promise((resolve) => {
  const took = []
  const frame = () => {
    const from = performance.now()
    const table = document.createElement('table')
    for (let row = 0; row < 100; row += 1) {
      const cells = table.insertRow()
      for (let cell = 0; cell < 6; cell += 1) cells.insertCell().append('row ' + row + ', cell ' + cell)
    }
    document.body.append(table)
    table.getBoundingClientRect()
    table.remove()
    took.push(performance.now() - from)
    if (took.length < 100) requestAnimationFrame(frame)
    else resolve(took.sort((a, b) => b - a))
  }
  requestAnimationFrame(frame)
})`

/**
 * Scrolls to the end, again and again, until no more comes. The long tasks that were ours, in milliseconds, the longest
 * first, and the most rows at once.
 */
export const SCROLL_ALL = `new Promise((resolve) => {
  const tasks = []
  let most = 0
  let atEnd = 0
  const watch = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration)
  })
  watch.observe({ type: 'longtask' })
  const frame = () => {
    const rows = document.querySelectorAll('.video-row')
    most = Math.max(most, rows.length)
    scrollBy(0, 2000)
    const table = document.querySelector('[role=table]')
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
    atEnd = table.getAttribute('aria-rowcount') === '-1' || !isAtEnd ? 0 : atEnd + 1
    // Rows that have just come may not be laid out yet.
    if (atEnd < 10) return requestAnimationFrame(frame)
    for (const { duration } of watch.takeRecords()) tasks.push(duration)
    resolve({ tasks: tasks.sort((a, b) => b - a), most })
  }
  frame()
})`
