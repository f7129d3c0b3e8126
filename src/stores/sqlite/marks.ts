import type { DatabaseSync } from 'node:sqlite'

/** Videos share a mark by chance: then the change of one makes the other be read again. */
const MARKS = 4_096

const placeOf = (id: string): number => {
  let place = 0
  // The last letters of an id differ the most.
  for (let at = Math.max(0, id.length - 5); at < id.length; at += 1) place = place * 31 + id.charCodeAt(at)
  return place % MARKS
}

/**
 * What the writer thread tells of videos that it changes, in memory that it shares with the thread that reads. A mark is
 * odd from before the change can be seen until it was committed or taken back, and another number after.
 */
export const createMarks = (): Int32Array<SharedArrayBuffer> => new Int32Array(new SharedArrayBuffer(4 * MARKS))

/** As long as it answers the same, the video's row has not changed. Null: it may be changing. */
export const markOf = (marks: Int32Array, id: string): number | null => {
  const mark = Atomics.load(marks, placeOf(id))
  return mark % 2 === 0 ? mark : null
}

/** Marks every change that this connection makes to a video. Answers a function to call when they are seen or undone. */
export const markChanges = (db: DatabaseSync, marks: Int32Array): (() => void) => {
  const changing = new Set<number>()
  db.function('mark_video', (id) => {
    const place = placeOf(String(id))
    if (!changing.has(place)) Atomics.add(marks, place, 1)
    changing.add(place)
    return null
  })
  // Of this connection alone, and of whatever verb.
  for (const [change, row] of [
    ['INSERT', 'NEW'],
    ['UPDATE', 'NEW'],
    ['DELETE', 'OLD'],
  ])
    db.exec(
      `CREATE TEMP TRIGGER marks_${change} AFTER ${change} ON main.videos BEGIN SELECT mark_video(${row}.id); END`,
    )
  return () => {
    for (const place of changing) Atomics.add(marks, place, 1)
    changing.clear()
  }
}
