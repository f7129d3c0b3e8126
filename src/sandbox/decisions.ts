import type { Reason } from './http/answer.ts'

/**
 * The shape of what the two contracts do not show. The sandbox's answers, each with its reason, are in undecided.ts;
 * variants.ts has other ones. A client that depends on any of these values depends on a guess.
 */
export interface Decisions {
  readonly primary: PrimaryDecisions
  readonly alternate: AlternateDecisions
  readonly files: FileDecisions
  readonly timing: TimingDecisions
}

type Fields = Record<string, unknown>
type Range = { readonly min: number; readonly max: number }
type CodeName =
  | 'unauthorized'
  | 'forbidden'
  | 'insufficientCredits'
  | 'invalidRequest'
  | 'idempotencyMismatch'
  | 'notFound'
  | 'puppetNotFound'
  | 'methodNotAllowed'
  | 'internal'
  | 'quotaExceeded'
  | 'assetFailed'
  | 'unavailable'
  | 'statusUnavailable'
  | 'statusTimeout'

/** A key of `http/answer.ts`'s reasons each, and what only the alternate refuses. */
type AlternateCodeName =
  Reason | 'insufficientCredits' | 'notReady' | 'puppetNotFound' | 'unavailable' | 'videoNotFound' | 'voiceNotFound'
export type FileCodeName =
  | 'busy'
  | 'linkExpired'
  | 'linkInvalid'
  | 'notFound'
  | 'rangeNotSatisfiable'
  | 'sizeMismatch'
  | 'tooLarge'
  | 'wrongType'

export interface ShownPuppet {
  readonly id: string
  readonly name: string
  readonly imageUrl: string
  readonly createdAt: string
}

export interface ShownSpeech {
  readonly id: string
  readonly audioUrl: string
  readonly voiceId: string
  readonly characters: number
  readonly durationSeconds: number
  readonly sizeBytes: number
  readonly expiresAt: string
}

export interface ShownUpload {
  readonly id: string
  readonly uploaded: boolean
  readonly mimeType: string
  readonly sizeBytes: number
  readonly uploadUrl: string
  readonly uploadExpiresAt: string
  readonly readUrl: string
  readonly readExpiresAt: string
}

export interface ShownUsage {
  readonly balance: number
  readonly included: number
  readonly purchased: number
  readonly usedThisMonth: number
  readonly month: string
  readonly checkoutAvailable: boolean
  readonly packs: readonly { readonly id: string; readonly credits: number; readonly priceCents: number }[]
  /** `video_generation` and its twin, as in the error bodies. */
  readonly readiness: Fields
}

export interface ShownCallback {
  readonly id: string
  readonly completed: boolean
  readonly puppetId: string
  readonly downloadUrl: string | null
  readonly endedAt: string
}

export interface PrimaryDecisions {
  readonly failedStatus: string
  readonly failedFields: (retryable: boolean) => Fields
  readonly jobExtras: (createdAt: string) => Fields
  readonly codes: Readonly<Record<CodeName, string>>
  readonly inProgressRetryMs: number
  readonly pollEveryMs: number
  readonly slotRetryMs: number
  readonly failedRetryMs: number
  readonly transientRetryMs: number
  readonly defaultVoiceId: string
  readonly expressiveness: Range
  readonly languageMaxChars: number
  readonly speed: Range
  readonly speechMaxChars: number
  readonly creditsPerVideo: number
  readonly puppetNameMaxChars: number
  readonly puppetDefaultName: string
  readonly puppetIdPrefix: string
  /** Of a path's `puppetId`; beyond it: 400. */
  readonly puppetIdPattern: string
  readonly audioIdPrefix: string
  readonly smallBodyBytes: number
  readonly videoLinkMs: number
  readonly uploadLinkMs: number
  readonly readLinkMs: number
  readonly audioKeptMs: number
  readonly resolution: '720p' | '1080p'
  readonly creditPacks: ShownUsage['packs']
  readonly puppet: (puppet: ShownPuppet) => Fields
  readonly puppetPage: (items: unknown[], nextCursor: string | null) => Fields
  readonly speech: (speech: ShownSpeech) => Fields
  readonly upload: (upload: ShownUpload) => Fields
  readonly usage: (usage: ShownUsage) => Fields
}

export interface AlternateDecisions {
  readonly requestsPerMinute: number
  readonly idPrefix: string
  readonly createdStatus: number
  readonly error: (code: string, message: string) => Fields
  readonly codes: Readonly<Record<AlternateCodeName, string>>
  readonly transientRetryMs: number
  readonly bodyBytes: number
  readonly videoError: (retryable: boolean) => Fields
  readonly callback: (video: ShownCallback) => Fields
  readonly callbackOnFailure: boolean
  readonly callbackTimeoutMs: number
  readonly callbackRetryMs: number
  readonly callbackTries: number
  readonly downloadLinkMs: number
  readonly webhookUrlMaxChars: number
}

/** What signed links, uploads and downloads answer; both interfaces' files alike. */
export interface FileDecisions {
  readonly error: (code: string, message: string) => Fields
  readonly codes: Readonly<Record<FileCodeName, string>>
  readonly uploaded: (sizeBytes: number) => Fields
  readonly busyRetrySeconds: number
}

export interface TimingDecisions {
  /** Time to generate: log-normal around `fixedMs + perSpeechSecondMs * seconds of speech`, spread `sigma`. */
  readonly fixedMs: number
  readonly perSpeechSecondMs: number
  readonly sigma: number
  /** The part of that time which a job is `queued`. */
  readonly queuedShare: number
  readonly charsPerSpeechSecond: number
  /** Of audio that is not WAV: its length is guessed from its size. */
  readonly audioBytesPerSecond: number
  readonly slowFactor: number
  readonly stuckProgress: number
  /** How many status reads of a `[[status-502]]` or `[[status-504]]` job fail. */
  readonly failingReads: number
}
