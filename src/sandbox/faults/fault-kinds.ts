/**
 * What can go wrong with a request. `before`: nothing is done and no quota is used; `after`: the
 * request is carried out and counted, then its answer suffers.
 */
interface FaultKindTraits {
  readonly stage: 'before' | 'after';
  /**
   * Whether a request that changes something comes through this unharmed: the client is told that
   * nothing was done, or gets an answer that it can read.
   */
  readonly sparesChanges: boolean;
}

const faultKinds = {
  rate_limited: { stage: 'before', sparesChanges: true },
  server_error: { stage: 'before', sparesChanges: false },
  bad_gateway: { stage: 'before', sparesChanges: false },
  unavailable: { stage: 'before', sparesChanges: false },
  html_bad_gateway: { stage: 'before', sparesChanges: false },
  html_page: { stage: 'before', sparesChanges: false },
  reset_before: { stage: 'before', sparesChanges: false },
  reset_after: { stage: 'after', sparesChanges: false },
  slow_drip: { stage: 'after', sparesChanges: true },
  cut_body: { stage: 'after', sparesChanges: false },
  malformed_json: { stage: 'after', sparesChanges: false },
  duplicated_members: { stage: 'after', sparesChanges: true },
  unknown_fields: { stage: 'after', sparesChanges: true },
  unknown_enum_values: { stage: 'after', sparesChanges: true },
  nulled_optional: { stage: 'after', sparesChanges: true },
  nulled_required: { stage: 'after', sparesChanges: false },
} as const satisfies Record<string, FaultKindTraits>;

export type FaultKind = keyof typeof faultKinds;
type KindAt<Stage> = {
  [Kind in FaultKind]: (typeof faultKinds)[Kind]['stage'] extends Stage ? Kind : never;
}[FaultKind];
export type EarlyFaultKind = KindAt<'before'>;
export type LateFaultKind = KindAt<'after'>;

export const faultKindNames = Object.keys(faultKinds) as [FaultKind, ...FaultKind[]];
export const faultLevels = ['none', 'mild', 'hostile'] as const;
export type FaultLevel = (typeof faultLevels)[number];

type Odds = Readonly<Partial<Record<FaultKind, number>>>;

/** Of all requests of a level, the share that each kind takes. */
const oddsByLevel: Readonly<Record<FaultLevel, Odds>> = {
  none: {},
  mild: {
    rate_limited: 0.01,
    server_error: 0.005,
    bad_gateway: 0.005,
    unavailable: 0.01,
    html_bad_gateway: 0.003,
    html_page: 0.002,
    reset_before: 0.005,
    reset_after: 0.005,
    slow_drip: 0.003,
    cut_body: 0.004,
    malformed_json: 0.003,
    duplicated_members: 0.005,
    unknown_fields: 0.005,
  },
  hostile: {
    rate_limited: 0.04,
    server_error: 0.03,
    bad_gateway: 0.03,
    unavailable: 0.03,
    html_bad_gateway: 0.02,
    html_page: 0.02,
    reset_before: 0.03,
    reset_after: 0.03,
    slow_drip: 0.01,
    cut_body: 0.02,
    malformed_json: 0.02,
    duplicated_members: 0.02,
    unknown_fields: 0.02,
    unknown_enum_values: 0.02,
    nulled_optional: 0.02,
    nulled_required: 0.02,
  },
};

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
    .filter((kind) => level !== 'mild' || !isChange || isSparingChanges(kind))
    .map((kind) => [kind, oddsByLevel[level][kind] ?? 0]);
}

/** Whether a client knows what became of the change that it asked for. */
export function isSparingChanges(kind: FaultKind): boolean {
  return faultKinds[kind].sparesChanges;
}

export function isEarly(kind: FaultKind): kind is EarlyFaultKind {
  return faultKinds[kind].stage === 'before';
}
