import { z } from 'zod';
import type { Finding } from './config-error.ts';
import type { Frozen } from './frozen.ts';
import {
  amount,
  baseUrlRule,
  bound,
  count,
  dayRule,
  keyed,
  quote,
  repeated,
  secret,
  text,
  uuidRule,
} from './value-kinds.ts';
import { bothPrices } from './prices-schema.ts';
import { isLoopback } from '../core/loopback.ts';
import { didYouMean } from '../core/nearest.ts';

const profileSchema = bound(
  z.strictObject({
    id: text("The profile's UUID in the workspace", uuidRule).transform((id) => id.toLowerCase()),
    name: text('The name of the profile in reports and profile patterns'),
    cpm: amount(
      'Currency units per 1,000 impressions, for the EMV of posts that get none from the API',
    ).optional(),
    until: text(
      'The last day that counts, for a profile that has ended: nothing is missing after it',
      dayRule,
    ).optional(),
    prices: text('The price list for the EMV of posts that get none from the API').optional(),
  }),
  bothPrices,
);

export interface ProfileConfig extends Frozen<ReturnType<typeof profileOf>> {}

/** @param workspace the key of the profile's workspace */
function profileOf(
  { id, name, cpm, until, prices }: z.output<typeof profileSchema>,
  workspace: string,
) {
  return {
    workspace,
    /** A UUID in lower case. */
    id,
    name,
    /** The currency units per thousand impressions, for posts without an EMV from the API. */
    cpm: cpm ?? null,
    /** The name of the price list for such posts. */
    prices: prices ?? null,
    /** The last day that counts; null for a profile that has not ended. */
    until: until ?? null,
  };
}

/** A limit of `requests` in any interval of `perSeconds`. */
export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
}

const rateLimitSchema = z
  .strictObject({
    requests: count(
      'The maximum number of requests in any interval of per_seconds',
      1,
      100_000,
    ).default(100),
    per_seconds: z
      .number()
      .positive()
      .max(86_400)
      .describe('The length of the interval in seconds')
      .default(60),
  })
  .transform(({ requests, per_seconds: perSeconds }): RateLimit => ({ requests, perSeconds }));

const workspaceSchema = bound(
  z.strictObject({
    base_url: text('The address of the API, which ends in /api/v1', baseUrlRule),
    api_key: secret("The workspace's API key, from the environment or .env: ${ACME_API_KEY}"),
    rate_limit: rateLimitSchema
      .describe("The service's rate limit, shared by all processes of this machine")
      .prefault({}),
    concurrency: count('The maximum number of requests in flight', 1, 256).default(4),
    timeout_seconds: z
      .number()
      .positive()
      .max(86_400)
      .describe('The timeout of one attempt, without its time in the queue')
      .default(30),
    slug: z
      .union([text('The slug'), z.array(text('A slug')).min(1)])
      .describe(
        "The workspace's slug in webhook events, or a list of those that it has had; default: the key",
      )
      .optional(),
    linked_post_field: text('The name of the linked post in an analytics record').default(
      'servicePost',
    ),
    profiles: z.array(profileSchema).describe('The LinkedIn profiles to read').prefault([]),
  }),
  ({ profiles }, report) => {
    for (const { index, first } of repeated(profiles.map(({ id }) => id)))
      report(
        ['profiles', index, 'id'],
        `is listed twice in the workspace, first in profiles[${first}]`,
      );
  },
);

export interface WorkspaceConfig extends Frozen<ReturnType<typeof workspaceOf>> {}

type ParsedWorkspace = z.output<typeof workspaceSchema>;

function workspaceOf(workspace: ParsedWorkspace, key: string) {
  return {
    key,
    /** The address of the API. It usually ends in /api/v1. */
    baseUrl: workspace.base_url,
    apiKey: workspace.api_key,
    rateLimit: workspace.rate_limit,
    /** The maximum number of requests in flight. */
    concurrency: workspace.concurrency,
    /** The timeout of one attempt, without its time in the queue. */
    timeoutSeconds: workspace.timeout_seconds,
    /** Its slug in webhook events, and those that it had before. */
    slugs: [workspace.slug ?? key].flat(),
    linkedPostField: workspace.linked_post_field,
    profiles: workspace.profiles.map((profile): ProfileConfig => profileOf(profile, key)),
  };
}

export type Workspaces = ReadonlyMap<string, WorkspaceConfig>;

export const workspacesSchema = bound(keyed(workspaceSchema), (workspaces, report) => {
  if (Object.keys(workspaces).length === 0) report([], 'must have at least one workspace');
  for (const { path, message } of slugFindings(workspaces)) report(path, message);
}).transform(
  (workspaces): Workspaces =>
    new Map(Object.entries(workspaces).map(([key, each]) => [key, workspaceOf(each, key)])),
);

/** Slugs must be unique, since events name their workspace by its slug alone. */
function slugFindings(workspaces: Readonly<Record<string, ParsedWorkspace>>): Finding[] {
  const slugs = Object.entries(workspaces).flatMap(([key, { slug = key }]) =>
    typeof slug === 'string'
      ? [{ key, path: [key, 'slug'], slug }]
      : slug.map((each, index) => ({ key, path: [key, 'slug', index], slug: each })),
  );
  return repeated(slugs.map(({ slug }) => slug)).flatMap(({ index, first }) => {
    const [again, earlier] = [slugs[index], slugs[first]];
    if (!again || !earlier) return [];
    const { key, path, slug } = again;
    const message =
      key === earlier.key
        ? `is ${quote(slug)}, which is listed twice`
        : `is ${quote(slug)}, which is also the slug of the workspace ${quote(earlier.key)}, so events of the two cannot be told apart; the default slug is the key`;
    return [{ path, message }];
  });
}

/** Warns about addresses that are most likely not intended. */
export function addressWarnings(workspaces: Workspaces): Finding[] {
  return [...workspaces.values()].flatMap(({ key, baseUrl }) => {
    const { protocol, hostname, pathname } = new URL(baseUrl);
    const path = ['workspaces', key, 'base_url'];
    const findings: Finding[] = [];
    if (protocol === 'http:' && !isLoopback(hostname)) {
      findings.push({ path, message: 'http sends the API key unencrypted; https does not' });
    }
    if (!/\/api\/v\d+\/*$/.test(pathname)) {
      findings.push({ path, message: 'does not end in /api/v1, as addresses of the API do' });
    }
    return findings;
  });
}

type Match = { readonly profiles: readonly ProfileConfig[] } | { readonly problem: string };

/**
 * Returns the profiles that match `<workspace>/<profile name or id or *>`. A name that several profiles share
 * matches all of them. Names are case-sensitive.
 */
export function matchProfiles(pattern: string, workspaces: Workspaces): Match {
  const slash = pattern.indexOf('/');
  const [key, wanted] = [pattern.slice(0, slash), pattern.slice(slash + 1)];
  const profiles = workspaces.get(key)?.profiles;
  if (!profiles) return { problem: `no workspace ${withHint(key, [...workspaces.keys()])}` };
  if (profiles.length === 0) return { problem: `the workspace ${quote(key)} has no profiles` };
  const matching = profiles.filter(
    ({ id, name }) => wanted === '*' || wanted.toLowerCase() === id || wanted === name,
  );
  if (matching.length > 0) return { profiles: matching };
  const names = profiles.flatMap(({ id, name }) => [name, id]);
  return { problem: `the workspace ${quote(key)} has no profile ${withHint(wanted, names)}` };
}

/** Returns the profiles that match the pattern; none for a pattern that matches no profile. */
export function profilesNamed(pattern: string, workspaces: Workspaces): readonly ProfileConfig[] {
  const match = matchProfiles(pattern, workspaces);
  return 'profiles' in match ? match.profiles : [];
}

/** Returns each profile that one of the patterns matches once, in the order in which the workspaces list them. */
export function profilesOf(patterns: readonly string[], workspaces: Workspaces): ProfileConfig[] {
  const named = new Set(patterns.flatMap((pattern) => profilesNamed(pattern, workspaces)));
  return [...workspaces.values()]
    .flatMap(({ profiles }) => profiles)
    .filter((profile) => named.has(profile));
}

/** A pattern of a client or a job. */
interface WrittenPattern {
  readonly path: Finding['path'];
  readonly pattern: string;
}

/** Refuses patterns that match no profile. */
export function patternFindings(
  patterns: readonly WrittenPattern[],
  workspaces: Workspaces,
): Finding[] {
  return patterns.flatMap(({ path, pattern }) => {
    const match = matchProfiles(pattern, workspaces);
    return 'problem' in match ? [{ path, message: match.problem }] : [];
  });
}

/** Warns about names that several profiles of a workspace have, one of which may be a stranger. */
export function namesakeWarnings(
  patterns: readonly WrittenPattern[],
  workspaces: Workspaces,
): Finding[] {
  return patterns.flatMap(({ path, pattern }) => {
    const profiles = pattern.endsWith('/*') ? [] : profilesNamed(pattern, workspaces);
    if (profiles.length < 2) return [];
    const ids = profiles.map(({ id }) => id).join(' and ');
    const message = `${quote(pattern)} names ${profiles.length} profiles, ${ids}; to name one of them, write its id instead of the name`;
    return [{ path, message }];
  });
}

export function withHint(wanted: string, known: readonly string[]): string {
  const hint = didYouMean(wanted, known);
  return hint === '' ? quote(wanted) : `${quote(wanted)}; ${hint}`;
}
