/**
 * Mutants that no test notices, and why none needs to: by the text of the line in which they begin, since numbers of
 * lines move, with how many of that line survive. Those of the last reason are debts: a test for one takes it off.
 */
export const SURVIVORS: readonly { why: string; file: string; lines: Readonly<Record<string, number>> }[] = [
  {
    why: 'a word for people, or another spelling of a name that no contract shows',
    file: 'src/adapters/alternate/index.ts',
    lines: {
      "voice: { ...VOICE, languageCode: ['language', ...VOICE.languageCode], language: ['language_name', 'languageName'] },": 2,
      "...usualCalls('alternate', TAKES, speaker),": 1,
    },
  },
  {
    why: 'a word for people, or another spelling of a name that no contract shows',
    file: 'src/adapters/primary/index.ts',
    lines: {
      "const noSuchPuppet = () => notFoundHere('puppet_not_found', 'This cannot be the id of a puppet')": 1,
      "...usualCalls('primary', TAKES, speaker),": 1,
    },
  },
  {
    why: 'a word for people, or another spelling of a name that no contract shows',
    file: 'src/adapters/primary/wire.ts',
    lines: {
      "export const JOB_ID_SPELLINGS = spelled('id', 'operation_id', 'job_id', 'task_id', 'request_id')": 4,
    },
  },
  {
    why: 'a word for people, or another spelling of a name that no contract shows',
    file: 'src/adapters/shared/dialect.ts',
    lines: {
      "const [before = '', after = ''] = statusPath.split('{id}')": 2,
      "const path = (url.split(/[?#]/, 1)[0] ?? '').replace(/\\/$/, '')": 1,
      "'request_id',": 1,
      "'operation_id',": 1,
      "'task_id',": 1,
      "'retry_blocked_reason',": 1,
    },
  },
  {
    why: 'a word for people, or another spelling of a name that no contract shows',
    file: 'src/adapters/shared/outcome.ts',
    lines: {
      '/^application\\/([\\w.-]+\\+)?json\\b/i.test(type)': 1,
      "export const noSuchJob = () => notFoundHere('video_not_found', 'This cannot be the id of a job')": 1,
    },
  },
  {
    why: 'only how soon memory is given back: what is counted is the same',
    file: 'src/core/limits/rates.ts',
    lines: {
      'if (mine.from * 2 > moments.length) {': 6,
      'if (left > 0) held.set(client, left)': 2,
    },
  },
  {
    why: 'only the compiler needs the value, or the check: it is never reached, or says the same',
    file: 'src/engine/create/plan.ts',
    lines: {
      'const configured = isOpen && Object.hasOwn(policy.standIns, chosen.via) ? (policy.standIns[chosen.via] ?? []) : []': 1,
      'if (!namedBy(name, visible).some(({ drain }) => !drain)) return null': 1,
    },
  },
  {
    why: 'only the compiler needs the value, or the check: it is never reached, or says the same',
    file: 'src/engine/life/job-steps.ts',
    lines: {
      'return hintedPollAt(video.hintedPolls, video.hintedPolls === 0 ? null : Math.max(...granted), nowMs)': 1,
    },
  },
  {
    why: 'only the compiler needs the value, or the check: it is never reached, or says the same',
    file: 'src/engine/routing/rules.ts',
    lines: {
      'const metadata = Object.entries(when.metadata).toSorted(([a], [b]) => (a < b ? -1 : 1))': 2,
    },
  },
  {
    why: 'only the compiler needs the value, or the check: it is never reached, or says the same',
    file: 'src/stores/sql/video-verbs.ts',
    lines: {
      'lane === null || !(await db.get(IN_LANE, account, lane))': 1,
      "if (held >= (admission.slots ?? Infinity) || row['data'] === null) return null": 1,
    },
  },
  {
    why: 'only the compiler needs the value, or the check: it is never reached, or says the same',
    file: 'src/stores/sql/work-verbs.ts',
    lines: {
      "int((await db.get('SELECT coalesce(max(n), 0) AS n FROM configurations')) ?? { n: 0 }, 'n')": 1,
      'if (ids.length === 0) return new Map()': 1,
      "const recent: unknown = row ? JSON.parse(text(row, 'recent')) : []": 1,
      "return Array.isArray(recent) ? recent.filter((ms) => typeof ms === 'number') : []": 2,
    },
  },
  {
    why: 'only the compiler needs the value, or the check: it is never reached, or says the same',
    file: 'src/webhooks/schedule.ts',
    lines: {
      'return waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : 0': 1,
    },
  },
  {
    why: 'the two are the same but at one moment or length, where either is right',
    file: 'src/core/limits/rates.ts',
    lines: {
      'if (!window || Math.abs(slot - window.newest) >= SLOTS) return fresh(slot)': 1,
      'for (let slot = newest - SLOTS + 1; slot < newest; slot += 1) if (counts[slot % SLOTS]) return slot': 1,
    },
  },
  {
    why: 'the two are the same but at one moment or length, where either is right',
    file: 'src/engine/doubt/list.ts',
    lines: {
      'return made.createdAtMs - offsetMs >= video.createdAtMs - WINDOW_SLACK_MS': 1,
    },
  },
  {
    why: 'the two are the same but at one moment or length, where either is right',
    file: 'src/engine/doubt/list.ts',
    lines: {
      'if (begun.candidates.length > CANDIDATES_AT_MOST) return `more than ${CANDIDATES_AT_MOST} jobs may be it`': 1,
    },
  },
  {
    why: 'the two are the same but at one moment or length, where either is right',
    file: 'src/engine/doubt/search.ts',
    lines: {},
  },
  {
    why: 'the two are the same but at one moment or length, where either is right',
    file: 'src/engine/life/job-steps.ts',
    lines: {
      'if (video.lastHintAtMs !== null && video.lastHintAtMs > nowMs) return null': 1,
    },
  },
  {
    why: 'the two are the same but at one moment or length, where either is right',
    file: 'src/engine/life/apply.ts',
    lines: {
      "nextPollAtMs: phase === 'accepted' && plannedPollAtMs !== null && plannedPollAtMs > nowMs ? plannedPollAtMs : null,": 1,
      'thumbnail_url: (view.thumbnail_url?.length ?? 0) > LONGEST_URL ? null : view.thumbnail_url,': 1,
    },
  },
  {
    why: 'the two are the same but at one moment or length, where either is right',
    file: 'src/engine/routing/ramp.ts',
    lines: {
      'const within = (value: number, limit: number): boolean => value <= limit + 1e-9': 1,
    },
  },
  {
    why: 'the two are the same but at one moment or length, where either is right',
    file: 'src/engine/routing/rules.ts',
    lines: {
      'return value !== undefined && placeOf(by, value) < weight': 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/adapters/alternate/index.ts',
    lines: {
      "drift: (body) => unknownFields([body], DOWNLOAD_FIELDS, 'getVideoDownload'),": 1,
      "voice: { ...VOICE, languageCode: ['language', ...VOICE.languageCode], language: ['language_name', 'languageName'] },": 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/adapters/alternate/wire.ts',
    lines: {
      "const words = new Set((readItems(body, 'videos', dialect) ?? []).map((item) => wordOf(item, dialect)))": 1,
      'const layers = [...CALLBACK_LAYERS.map((name) => find(body, [name], asObject)), body]': 2,
      'const jobId = layer === null ? null : readJobId(layer, {}, dialect)': 1,
      'if (jobId !== null) return jobId': 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/adapters/primary/index.ts',
    lines: {
      "drift: (body) => unknownFields([unwrapUsage(body)], USAGE_FIELDS, 'getUsage'),": 1,
      "drift: (body) => unknownFields([unwrapPuppet(body, dialect)], puppetFields, 'getPuppet'),": 1,
      "drift: (body) => unknownFields([unwrapPuppet(body, dialect)], puppetFields, 'createPuppet'),": 1,
      "const isGone = outcome.kind === 'refused' && outcome.problem.code === 'puppet_not_found'": 1,
      "drift: (body) => unknownFields([unwrapSpeech(body)], SPEECH_FIELDS, 'createSpeech'),": 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/adapters/shared/dialect.ts',
    lines: {
      'if (!path.endsWith(after)) return null': 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/adapters/shared/outcome.ts',
    lines: {
      'if (isSuccess(status) && body !== null) {': 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/engine/doubt/list.ts',
    lines: {
      'own.dispatchedAtMs === null ||': 1,
      'createdAtMs === null ||': 1,
      "if (video.phase === 'dispatching' && video.wire === null) return false": 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/engine/doubt/list.ts',
    lines: {
      'const [{ total } = { total: null }] = pages': 1,
      "if (owner !== null && owner !== video.id) return { kind: 'foreign' }": 1,
      'walked.offsetMs === null ? { offsetMs: null, proves: false } : offsetFor(video, walked.offsetMs, startedAtMs)': 1,
      'const tells = proves && offsetMs !== null && (await isTelling(account, video, items, offsetMs))': 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/engine/doubt/search.ts',
    lines: {
      'if (!isSameDoubt(current, video)) return { video: told, notes: [] }': 1,
      'return searchAgain(told, { reading: null }, nowMs, nowMs, why)': 1,
      'exclusive && restoredAtMs === null': 1,
      "if (rivals.some(({ phase }) => phase === 'dispatching'))": 1,
      "if (after?.phase === 'ended')": 1,
      'list.forget(video)': 1,
      "log.error({ video_id: id, tries, err }, 'the result of a job that a callback named is not written yet'),": 1,
    },
  },
  {
    why: 'only spares work: what comes of it is the same',
    file: 'src/stores/sql/video-verbs.ts',
    lines: {
      'if (videosPerMonth === null && creditsPerMonth === null) return null': 1,
    },
  },
  {
    why: 'only spares work: what comes of it is the same',
    file: 'src/stores/sql/work-verbs.ts',
    lines: {
      'if (retryAtMs === null || budget !== read) await putBudget(db, account, budget, nowMs)': 3,
    },
  },
  {
    why: 'only spares work: what comes of it is the same',
    file: 'src/stores/sql/outbox.ts',
    lines: {
      'const named = Object.entries({ subject, actor, action }).find(([, value]) => value !== null)': 5,
      'const job = before?.backendJobId === video.backendJobId ? {} : { job_id: video.backendJobId }': 1,
      'const moved = Object.entries(moving(video)).filter(([column, value]) => were[column] !== value)': 2,
    },
  },
  {
    why: 'only spares work: what comes of it is the same',
    file: 'src/stores/sql/webhook-verbs.ts',
    lines: {
      'return { isMore: released === MOVED_AT_ONCE, freeAtMs: fromMs + released * RELEASE_GAP_MS }': 1,
      'if (attempts > MAX_ATTEMPTS_KEPT)': 2,
      'if (attempts > MAX_ANSWERS_KEPT) await db.run(FORGET_ANSWERS, delivery, MAX_ANSWERS_KEPT)': 2,
      "const disabled = counted?.['target_kind'] === 'endpoint' ? await countFor(db, args) : null": 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/stores/sql/outbox.ts',
    lines: {
      'has_webhook: video.webhookUrl === null ? 0 : 1,': 1,
      "late_ms: video.phase === 'ended' && video.acceptedAtMs !== null ? uncertaintyMs(video) : null,": 3,
      'videoId === null ? [NO_VIDEO, await nextOfNone(db)] : [null, null]': 3,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/stores/sql/webhook-verbs.ts',
    lines: {
      'if (ends.length > held.size) await countDropped(db, ends.length - held.size)': 3,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/engine/routing/ramp.ts',
    lines: {
      'if (video.rule === null || ofRules.has(video.rule)) of(ofRules, video.rule).add(video)': 5,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/engine/routing/splits.ts',
    lines: {
      'all: (): Split[] => splits.filter((split) => configured.get(split.key) === split),': 5,
      'stopped: (): number => keys.filter((key) => Boolean(known.get(key)?.stopped)).length,': 3,
      'let isBlind = false': 1,
      'learn(state)': 1,
      "for (const delivery of deliveries) wake.hint('deliver', delivery, atMs)": 1,
      'const detail = { weight, outcomes_since: iso(sinceMs), outcomes: { old, new: fresh } }': 2,
      "tally.count('canary_stopped', {})": 1,
      '{ rule: split.key, old: split.old, new: split.new, weight, outcomes: { old, new: fresh } },': 2,
      'if (!state || weightInForce(split, state) === 0) return': 1,
      'if (refreshing.isStopping()) return': 1,
      'if (split.stopIf) await watch(split)': 1,
      'if (isBlind) log.info({}, said.back)': 1,
      'if (!stopping.signal.aborted) cancel = clock.at(clock.now() + EVERY_MS, start)': 1,
      'stopping.abort()': 1,
    },
  },
  {
    why: 'the two are the same but at one moment or length, where either is right',
    file: 'src/engine/doubt/list.ts',
    lines: {
      'if (early !== undefined && early < absentAfterMs && deadlineMs + early > nowMs) return deadlineMs + early': 2,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/engine/doubt/list.ts',
    lines: {
      'const pausedMs = (walks.at(-1)?.atMs ?? 0) >= deadlineMs + absentAfterMs ? nowMs + SECOND_PROOF_MS : nowMs': 1,
      'const newest = items.toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0)).slice(0, HELD_AGAINST)': 2,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/engine/doubt/list.ts',
    lines: {
      'return { retryAtMs: retryAtMs ?? clock.now() + backoffMs(2, random()) }': 1,
      'forget: (video: VideoRecord): void => walks.forget(keyOf(video)),': 1,
    },
  },
  {
    why: 'the two are the same but at one moment or length, where either is right',
    file: 'src/engine/doubt/operator.ts',
    lines: {
      'said < attempt': 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/engine/doubt/operator.ts',
    lines: {
      'export const notConfigured = (): Problem =>': 1,
      '{': 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/engine/doubt/search.ts',
    lines: {
      'if (nowMs >= untilMs) {': 1,
      'if (!pause) list.forget(video)': 1,
    },
  },
  {
    why: 'not held by a quick test yet: a test is missing',
    file: 'src/engine/life/apply.ts',
    lines: {
      'const after = await carry(id, (current, nowMs) => onJobTaken(current, taken, nowMs), { onJobTaken }, true)': 1,
    },
  },
  {
    why: 'only the compiler needs the value, or the check: it is never reached, or says the same',
    file: 'src/engine/life/apply.ts',
    lines: {
      'if (video && before !== null && video !== before) {': 1,
      "if (before.phase !== 'ended' && after.phase === 'ended' && isTerminal(status)) {": 1,
      "if (before.phase === 'ended' || after.phase !== 'ended' || !isOfBackend) return": 1,
    },
  },
  {
    why: 'a test of the writer’s thread holds it (`room.test.ts`), and these runs have none',
    file: 'src/stores/sql/video-verbs.ts',
    lines: {
      "if (!(await hasRoomForMore(db, freeBytes))) return { kind: 'no_room' }": 2,
    },
  },
  {
    why: 'only spares work: what comes of it is the same',
    file: 'src/stores/sql/video-verbs.ts',
    lines: {
      'if (!quotas || (quotas.videosPerMonth === null && quotas.creditsPerMonth === null)) return []': 1,
    },
  },
  {
    why: 'only the compiler needs the value, or the check: it is never reached, or says the same',
    file: 'src/stores/sql/webhook-verbs.ts',
    lines: {
      "if (disabled === 'gone' && text(row, 'status') === 'failed' && isHeld(oneOf(EVENT_TYPES, text(row, 'type'), 'type')))": 1,
    },
  },
]
