/** A row is the usual word, and the odd ones that we wrote in its place. No page may use these. */
export const USUAL: Readonly<Record<string, RegExp>> = {
  poll: /\b(?:a|each|every|the next|another) look\b/i,
  'search for': /\b(?:is|are|was|were|been) looked for\b/i,
  'report, show, say': /(?<!\byou (?:are|were) )\btold\b|\btells\b(?! you)/i,
  'if you give none, by default': /\b(?:nothing else is said|says? nothing else|you say nothing)\b/i,
  'above the limit': /\bbeyond (?:it|them|that|the limit|a month)\b/i,
  'the client that, anyone who': /\bwho(?:so)?ever\b/i,
  'does not have': /\b(?:has|have|had) not (?:a|an|this|that|the|any|these)\b/i,
  'and … not': /(?<!\bneither\b.*)\bnor\b/i,
  'so, because, therefore': /\b(?:hence|thus|lest|thereof|thereby|whence|wherein|forthwith|likewise)\b/i,
  'immediately, or: at the same time': /\bat once\b/i,
  again: /\bonce more\b/i,
  video: /\bfilms?\b/i,
  received: /\bhear[sd]?\b/i,
  fix: /\bmend\b/i,
  'is, applies, waits; paste this': /\b(?:stands?|stood)\b(?!-in| in\b)/i,
  'continues, resumes': /\b(?:go|goes|went|going) on\b/i,
  'reconnect, return, retry': /\bcomes? back (?:with|to|when|as)\b/i,
  only: /\balone\b/i,
  'due, pending': /\bowed\b/i,
  'the decision of, manually': /\bby word of\b/i,
  Otherwise: /(?:^|[.;:] )else\b/i,
  'no longer': /\b(?:has|have|is|are|it|counts?|moves?|works?|good) no more\b|\bnot any more\b/i,
  disconnect: /\blet go\b|\bh(?:a|u)ng(?:s|ing)? up\b/i,
  problem: /\btroubles?\b/i,
  accept: /\b(?:take|takes|took|taken) in\b/i,
  'adopt, continue with': /\b(?:take|takes|took|taken) (?:it |its job )?up\b/i,
  'even so': /\ball the same\b/i,
  'asks … for': /\b(?:is|are|was) asked of\b/i,
  until: /\btill\b/i,
}

/**
 * Terms of ours, and how to see that a text uses them. A page may use only those that docs/glossary.md has. The last
 * ones are terms of the code: a page uses the usual words in their place.
 */
export const OURS: Readonly<Record<string, RegExp>> = {
  client: /\bclients?\b/i,
  operator: /\boperators?\b/i,
  backend: /\bbackends?\b/i,
  pool: /\bpools?\b/i,
  interface: /\b(?:primary|alternate) (?:interface|backend|one)\b/i,
  surface: /\bsurfaces?\b/i,
  'drop-in': /\bdrop-in\b/i,
  video: /\bvideos?\b/i,
  job: /\bjobs?\b/i,
  puppet: /\bpuppets?\b/i,
  alias: /\balias(?:es)?\b/i,
  capability: /\bcapabilit(?:y|ies)\b/i,
  drift: /\bdrift(?:s|ed)?\b/i,
  create: /\b(?:a|the|each|every|one|its|this|of|either|next) creates?\b|^creates\b/i,
  budget: /\bbudgets?\b/i,
  slot: /\bslots?\b/i,
  turn: /\b(?:its|their|take|by) turns?\b/i,
  drain: /\bdrain(?:s|ed|ing)?\b/i,
  'expected lateness': /\bexpected lateness\b/i,
  verdict: /\bverdicts?\b/i,
  doubt: /\bdoubt(?:s|ed|ful)?\b/i,
  evidence: /\bevidence\b/i,
  candidate: /\bcandidates?\b/i,
  adopt: /\badopt(?:s|ed|ion)?\b/i,
  split: /\bsplits?\b/i,
  ramp: /\bramp(?:s|ed|ing)?\b/i,
  gate: /\bgates?\b/i,
  canary: /\bcanar(?:y|ies)\b/i,
  shadow: /\bshadow(?:s|ed|ing)?\b/i,
  endpoint: /\bendpoints?\b/i,
  target: /\btargets?\b/i,
  delivery: /\bdeliver(?:y|ies)\b/i,
  held: /\bheld\b/i,
  redelivery: /\bredeliver/i,
  replay: /\breplay/i,
  callback: /\bcallbacks?\b/i,
  lease: /\bleases?\b/i,
  pump: /\bpumps?\b/i,
  hint: /\bhints?\b/i,
  sweep: /\bsweeps?\b/i,
  timeline: /\btimelines?\b/i,
  walk: /\bwalk(?:s|ed)?\b/i,
  rival: /\brivals?\b/i,
  lane: /\blanes?\b/i,
  ticket: /\btickets?\b/i,
  dialect: /\bdialects?\b/i,
  settle: /\bsettle[sd]?\b/i,
  verb: /\bverbs?\b/i,
  'thin evidence': /\bthin evidence\b/i,
}

/** Bold for emphasis, not to introduce a term. */
export const EMPHASIS: readonly string[] = ['all', 'and', 'every', 'never', 'no', 'not', 'once', 'only']

/**
 * Bounds for the sentences of all sources: their mean length in words, and the share of those over 25 words.
 * Lower them when you can; never raise them.
 */
export const MEAN_WORDS = 12
export const SHARE_OVER_25 = 0.02
export const MOST_WORDS = 40

/** How many comments of the code may still have an odd word of `USUAL`. Lower it when you can; never raise it. */
export const ODD_COMMENTS = 4
