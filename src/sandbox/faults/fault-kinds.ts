import {
  badGateway,
  cutBody,
  drip,
  htmlPage,
  malformedJson,
  rateLimited,
  resetConnection,
  serverError,
  unavailable,
  type AnsweredCase,
  type FaultCase,
} from './answers.ts';
import { withDuplicates, withNull, withUnknownFields, withUnknownWord } from './changed-json.ts';

/** What can go wrong with a request. */
interface FaultTraits {
  /**
   * Whether a request that changes something comes through this unharmed: the client is told that
   * nothing was done, or gets an answer that it can read.
   */
  readonly sparesChanges: boolean;
  /** The share of requests that suffer it, by level. */
  readonly mild: number;
  readonly hostile: number;
  /** Answers instead of the service: nothing is done and no quota is used. */
  readonly instead?: (fault: FaultCase) => Response;
  /** Spoils the answer of a request that was carried out; null where this answer cannot be spoilt so. */
  readonly spoil?: (fault: AnsweredCase) => Response | null;
}

// prettier-ignore
const faultKinds = {
  rate_limited:        { sparesChanges: true,  mild: 0.01,  hostile: 0.04, instead: rateLimited },
  server_error:        { sparesChanges: false, mild: 0.005, hostile: 0.03, instead: serverError },
  bad_gateway:         { sparesChanges: false, mild: 0.005, hostile: 0.03, instead: badGateway },
  unavailable:         { sparesChanges: false, mild: 0.01,  hostile: 0.03, instead: unavailable },
  html_bad_gateway:    { sparesChanges: false, mild: 0.003, hostile: 0.02, instead: () => htmlPage(502, '502 Bad Gateway') },
  html_page:           { sparesChanges: false, mild: 0.002, hostile: 0.02, instead: () => htmlPage(200, 'We are back in a minute') },
  reset_before:        { sparesChanges: false, mild: 0.005, hostile: 0.03, instead: resetConnection },
  reset_after:         { sparesChanges: false, mild: 0.005, hostile: 0.03, spoil: resetConnection },
  slow_drip:           { sparesChanges: true,  mild: 0.003, hostile: 0.01, spoil: drip },
  cut_body:            { sparesChanges: false, mild: 0.004, hostile: 0.02, spoil: cutBody },
  malformed_json:      { sparesChanges: false, mild: 0.003, hostile: 0.02, spoil: malformedJson },
  duplicated_members:  { sparesChanges: true,  mild: 0.005, hostile: 0.02, spoil: withDuplicates },
  unknown_fields:      { sparesChanges: true,  mild: 0.005, hostile: 0.02, spoil: withUnknownFields },
  unknown_enum_values: { sparesChanges: true,  mild: 0,     hostile: 0.02, spoil: withUnknownWord },
  nulled_optional:     { sparesChanges: true,  mild: 0,     hostile: 0.02, spoil: (fault) => withNull(true, fault) },
  nulled_required:     { sparesChanges: false, mild: 0,     hostile: 0.02, spoil: (fault) => withNull(false, fault) },
} as const satisfies Record<string, FaultTraits>;
export type FaultKind = keyof typeof faultKinds;

export const faultKindNames = Object.keys(faultKinds) as [FaultKind, ...FaultKind[]];
export const faultLevels = ['none', 'mild', 'hostile'] as const;
export type FaultLevel = (typeof faultLevels)[number];

/**
 * Which kinds a request of this method can suffer, and how likely. Mild faults do no harm: what
 * changes something suffers only those after which a client knows what was done.
 */
export function oddsOf(
  level: FaultLevel,
  method: string,
): [kind: FaultKind, probability: number][] {
  const isChange = method !== 'GET' && method !== 'HEAD';
  return faultKindNames
    .filter((kind) => level !== 'mild' || !isChange || faultKinds[kind].sparesChanges)
    .map((kind) => [kind, level === 'none' ? 0 : faultKinds[kind][level]]);
}

export function traitsOf(kind: FaultKind): FaultTraits {
  return faultKinds[kind];
}
