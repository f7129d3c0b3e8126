import {
  type Durations,
  NO_DURATIONS,
  remember,
  thetaFor,
  nextPoll,
  noted,
  type Reading,
} from '../../src/engine/polling/progress.ts'
import type { Cost } from './optimum.ts'

/** What a backend tells of a job's progress, from the part of its duration that has passed. */
export type Progress = (part: number) => number | null

export const NO_PROGRESS: Progress = () => null
export const LINEAR_PERCENT: Progress = (part) => Math.floor(part * 100) / 100

const MIN_INTERVAL_MS = 1_000
const MAX_AGE_MS = 86_400_000
/** As in the engine: θ is solved for anew after so many jobs. */
const RECALIBRATE_JOBS = 10

export interface Policy {
  memory: Durations
  thetaMs: number
}

interface Watch {
  polls: number
  delayMs: number
  lastPollMs: number | null
  detectedMs: number
}

/** One job of `endMs`, watched by the policy of the engine. */
export const watch = ({ memory, thetaMs }: Policy, endMs: number, progress: Progress): Watch => {
  let nowMs = 0
  let lastPollMs: number | null = null
  let readings: readonly Reading[] = []
  for (let polls = 1; ; polls += 1) {
    const job = { acceptedAtMs: 0, lastPollAtMs: lastPollMs, readings, calledBack: false }
    const rules = { nowMs, thetaMs, minIntervalMs: MIN_INTERVAL_MS, hintAtMs: null, deadlineAtMs: MAX_AGE_MS }
    nowMs = nextPoll(memory, job, rules)
    if (nowMs >= endMs) return { polls, delayMs: nowMs - endMs, lastPollMs, detectedMs: nowMs }
    lastPollMs = nowMs
    const told = progress(nowMs / endMs)
    if (told !== null) readings = noted(readings, { elapsedMs: nowMs, progress: told })
  }
}

export interface Lesson {
  pollsPerJob: number
  durationsS: readonly number[]
  progress: Progress
  random: () => number
}

/** Learns from jobs as they come, from what its own polls see, and answers each one's delay in seconds. */
export const learn = (before: Durations, { pollsPerJob, durationsS, progress, random }: Lesson) => {
  const solve = (memory: Durations): Policy => ({ memory, thetaMs: thetaFor(memory, pollsPerJob, MIN_INTERVAL_MS) })
  let policy = solve(before)
  const delaysS: number[] = []
  for (const [i, seconds] of durationsS.entries()) {
    const { delayMs, lastPollMs, detectedMs } = watch(policy, seconds * 1_000, progress)
    delaysS.push(delayMs / 1_000)
    const memory = remember(policy.memory, { lastPollMs, detectedMs, exact: false }, random())
    policy = (i + 1) % RECALIBRATE_JOBS === 0 ? solve(memory) : { ...policy, memory }
  }
  return { policy: solve(policy.memory), delaysS }
}

/** What was learned in `lesson`, tried on jobs that it never saw. */
export const learnThenScore = (lesson: Lesson, heldOutS: readonly number[]): Cost => {
  const { policy } = learn(NO_DURATIONS, lesson)
  let polls = 0
  let delayMs = 0
  for (const seconds of heldOutS) {
    const seen = watch(policy, seconds * 1_000, lesson.progress)
    polls += seen.polls
    delayMs += seen.delayMs
  }
  return { polls: polls / heldOutS.length, delayS: delayMs / heldOutS.length / 1_000 }
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
