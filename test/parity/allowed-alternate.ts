import type { Rule } from './judge.ts'
import {
  alternate,
  isText,
  fieldOf,
  codeOf,
  there,
  here,
  all,
  any,
  isThere,
  isHere,
  isOfWindow,
  isMoment,
  isSameLink,
} from './matchers.ts'

/** What is declared of `/v1` alone. */
export const ALTERNATE: readonly Rule[] = [
  alternate({
    id: 'from-record',
    lane: 'any',
    at: /^getVideo(Download)?$/,
    places: /^body\.download_url$/,
    there: there(200),
    here: all(here(200), isSameLink),
  }),
  alternate({
    id: 'from-record',
    lane: 'any',
    at: /^getVideo(Download)?$/,
    places: /^body\.(completed_at|expires_at)$/,
    there: isThere(isMoment),
    here: all(isHere(isMoment), isOfWindow),
  }),
  alternate({
    id: 'from-record',
    lane: 'any',
    at: /^getVideo$/,
    places: /^body\.thumbnail_url$/,
    there: isThere(isText),
    here: isHere((value) => value === null),
  }),
]

/** The alternate with the primary behind. */
export const ALTERNATE_OTHER: readonly Rule[] = [
  alternate({
    id: 'told-by-service',
    lane: 'other',
    at: /^(createVideo|getVideo|getVideoDownload|listVideos)$/,
    places: /^body\.(data\[\]\.)?(voice_id|resolution|thumbnail_url|duration_sec|expires_at)$/,
    there: isThere((value) => isText(value) || typeof value === 'number'),
    here: isHere((value) => value === null),
  }),
  alternate({
    id: 'estimate',
    lane: 'other',
    at: /^createVideo$/,
    places: /^body\.duration_estimate_sec$/,
    there: isThere((value) => Number.isSafeInteger(value)),
    here: isHere((value) => Number.isSafeInteger(value)),
  }),
  alternate({
    id: 'own-catalogue',
    lane: 'other',
    at: /^(listVoices|listPuppets|useUpRate)$/,
    places: /^body\.data\.length$/,
    there: isThere((value) => value === 8 || value === 6),
    here: isHere((value) => value === 45 || value === 4),
  }),
  alternate({
    id: 'own-catalogue',
    lane: 'other',
    at: /^createVideo$/,
    places: /^(status$|body)/,
    there: any(
      there(201),
      all(there(404), ({ direct }) => codeOf(direct) === 'puppet_not_found'),
    ),
    here: any(
      here(201),
      all(here(400, 404), ({ gateway }) => isText(codeOf(gateway))),
    ),
  }),
  alternate({
    id: 'own-catalogue',
    lane: 'other',
    at: /^(preview|thumbnail|createVideo)$/,
    places: /^(step|body)$/,
    there: there(200, 201),
    here: here(0, 200),
  }),
  alternate({
    id: 'callback-body',
    lane: 'other',
    at: /^callback$/,
    places: /^body\./,
    there: ({ direct }) => fieldOf(direct, 'notification') === 'video_finished',
    here: ({ gateway }) => /^video\.(completed|failed)$/.test(String(fieldOf(gateway, 'type'))),
  }),
  alternate({
    id: 'failure',
    lane: 'other',
    at: /^getVideo$/,
    places: /^body\.error\.(code|retryable)$/,
    there: ({ direct }) => fieldOf(direct, 'error', 'code') === 'generation_failed',
    here: ({ gateway }) => fieldOf(gateway, 'error', 'code') === 'backend_failed',
  }),
  alternate({
    id: 'other-media',
    lane: 'other',
    at: /^downloadVideo$/,
    places: /^(body|header\.(etag|last-modified))$/,
    there: there(200),
    here: here(200),
  }),
]
