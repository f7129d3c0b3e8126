/** What the decisions of undecided.ts are told, to put it in words of their own. */
export type Fields = Record<string, unknown>

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
