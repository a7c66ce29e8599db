import { dayOf, type Day } from '../core/calendar.ts';
import { isLoopback } from '../core/loopback.ts';
import type { ConfigPath, Finding } from './config-error.ts';
import type { RawConfig, RawJob } from './jobs-schema.ts';
import { clientPlaceholder, defaultFormats, outOf } from './reports-schema.ts';
import { dayRule, profilePatternRule, timeZoneRule } from './value-kinds.ts';
import { didYouMean, hintAmong } from '../core/nearest.ts';
import { entriesOf, fieldOf, itemsOf } from '../core/json.ts';
import type { Lookup } from './variables.ts';

interface ConflictContext {
  readonly now: Date;
  /** The names of all reports; null if they are unknown, so that names are not checked. */
  readonly knownReports: readonly string[] | null;
}

/** A value of the unparsed file, with its place. */
interface Placed<Value = unknown> {
  readonly path: ConfigPath;
  readonly value: Value;
}

/** Lists the values to which a path leads. In it, `*` is every key of a mapping, or every index of a list. */
function valuesAt(root: unknown, pattern: string, base: ConfigPath = []): Placed[] {
  let places: Placed[] = [{ path: base, value: root }];
  for (const step of pattern.split('.'))
    places = places.flatMap(({ path, value }) => {
      const all = Array.isArray(value) ? [...value.entries()] : entriesOf(value);
      const children = step === '*' ? all : [[step, fieldOf(value, step)] as const];
      return children.map(([key, child]) => ({ path: [...path, key], value: child as unknown }));
    });
  return places.filter(({ value }) => value !== undefined);
}

/** Lists the texts among them. */
function textsAt(root: unknown, pattern: string, base: ConfigPath = []): Placed<string>[] {
  return valuesAt(root, pattern, base).flatMap(({ path, value }) =>
    typeof value === 'string' && value !== '' ? [{ path, value }] : [],
  );
}

/**
 * Finds conflicts between parts that are valid by themselves. It reads the unparsed file, so that conflicts are
 * reported together with the schema's findings, and ignores malformed values, which the schema reports.
 */
export function findConflicts(root: unknown, context: ConflictContext): Finding[] {
  return [
    ...slugFindings(root),
    ...valuesAt(root, 'workspaces.*').flatMap(profileFindings),
    ...retentionFindings(root),
    ...equalClientFindings(root),
    ...['clients.*.profiles.*', 'jobs.*.profiles.*'].flatMap((pattern) =>
      textsAt(root, pattern).flatMap((named) => patternFindings(root, named)),
    ),
    ...serverFindings(root),
    ...clientFindings(root),
    ...carriersIn(root).flatMap((carrier) => carrierFindings(root, carrier)),
    ...startFindings(root, context.now),
    ...reportFindings(root, context.knownReports),
  ];
}

/** Slugs must be unique, since events name their workspace by its slug alone. */
function slugFindings(root: unknown): Finding[] {
  const slugs = entriesOf(fieldOf(root, 'workspaces')).flatMap(([key, workspace]) => {
    const path = ['workspaces', key, 'slug'];
    const listed = itemsOf(fieldOf(workspace, 'slug'));
    if (listed.length === 0) return [{ key, path, slug: textAt(workspace, 'slug') || key }];
    return textsAt(workspace, 'slug.*').map(({ path: [, index = 0], value }) => {
      return { key, path: [...path, index], slug: value };
    });
  });
  return repeated(slugs.map(({ slug }) => slug)).flatMap(({ index, first }) => {
    const [again, earlier] = [slugs[index], slugs[first]];
    if (!again || !earlier) return [];
    const { key, path, slug } = again;
    const message =
      key === earlier.key
        ? `is ${JSON.stringify(slug)}, which is listed twice`
        : `is ${JSON.stringify(slug)}, which is also the slug of the workspace ${JSON.stringify(earlier.key)}, so events of the two cannot be told apart; the default slug is the key`;
    return [{ path, message }];
  });
}

function profileFindings({ path, value }: Placed): Finding[] {
  const ids = itemsOf(fieldOf(value, 'profiles')).map((one) => textAt(one, 'id').toLowerCase());
  return repeated(ids).map(({ index, first }) => ({
    path: [...path, 'profiles', index, 'id'],
    message: `is listed twice in the workspace, first in profiles[${first}]`,
  }));
}

function patternFindings(root: unknown, { path, value: pattern }: Placed<string>): Finding[] {
  if (profilePatternRule(pattern)) return [];
  const match = matchProfiles(pattern, profilesByWorkspace(root));
  return 'problem' in match ? [{ path, message: match.problem }] : [];
}

function profilesByWorkspace(root: unknown) {
  return new Map(
    entriesOf(fieldOf(root, 'workspaces')).map(([key, workspace]) => [
      key,
      itemsOf(fieldOf(workspace, 'profiles')).map((profile) => ({
        id: textAt(profile, 'id').toLowerCase(),
        name: textAt(profile, 'name'),
      })),
    ]),
  );
}

function startFindings(root: unknown, now: Date): Finding[] {
  const today = lastDay(textAt(root, 'timezone'), now);
  return textsAt(root, 'jobs.*.windows.start')
    .filter(({ value: start }) => dayRule(start) === null && start > today)
    .map(({ path, value }) => ({
      path,
      message: `must not be in the future: today is ${today}, got ${quote(value)}`,
    }));
}

/** Returns the later of today in the time zone and today in UTC. */
function lastDay(timeZone: string, now: Date): Day {
  const zone = timeZone === '' || timeZoneRule(timeZone) ? 'UTC' : timeZone;
  const [here, utc] = [dayOf(now, zone), dayOf(now, 'UTC')];
  return here > utc ? here : utc;
}

function reportFindings(root: unknown, known: readonly string[] | null): Finding[] {
  if (known === null) return [];
  return textsAt(root, 'jobs.*.reports.*.report')
    .filter(({ value }) => !known.includes(value))
    .map(({ path, value }) => ({
      path,
      message: `no report ${quote(value)}; ${hintAmong(value, known)}`,
    }));
}

/** Folders and files are named by clients, and some disks do not distinguish upper and lower case. */
function equalClientFindings(root: unknown): Finding[] {
  const keys = clientKeys(root);
  return repeated(keys.map((key) => key.toLowerCase())).map(({ index, first }) => ({
    path: ['clients', keys[index] ?? ''],
    message: `differs from ${quote(keys[first] ?? '')} by upper and lower case alone, so their reports may be in one folder; rename one of them`,
  }));
}

function clientKeys(root: unknown): string[] {
  return entriesOf(fieldOf(root, 'clients')).map(([key]) => key);
}

/** The clients of a report must exist. */
function clientFindings(root: unknown): Finding[] {
  const known = clientKeys(root);
  const each = textsAt(root, 'jobs.*.reports.*.for').filter(({ value }) => value === 'each');
  const named = textsAt(root, 'jobs.*.reports.*.for.*');
  return [
    ...each.flatMap(({ path }) =>
      known.length === 0 ? [{ path, message: 'is each, but there are no clients' }] : [],
    ),
    ...named.flatMap(({ path, value }) =>
      known.includes(value) ? [] : [{ path, message: `no client ${withHint(value, known)}` }],
    ),
  ];
}

/** The number of days of the outbox has one place. */
function retentionFindings(root: unknown): Finding[] {
  const isGivenTwice = [root, fieldOf(root, 'retention')].every(
    (mapping) => fieldOf(mapping, 'outbox_days') !== undefined,
  );
  return isGivenTwice
    ? [{ path: ['outbox_days'], message: 'is in retention as well; leave one of the two out' }]
    : [];
}

/** Mail needs a server. */
function serverFindings(root: unknown): Finding[] {
  if (fieldOf(root, 'mail') !== undefined) return [];
  const message = 'needs an SMTP server; add mail at the top level';
  const patterns = ['notify.*.mail', 'jobs.*.deliver.*.mail', 'jobs.*.reports.*.deliver.*.mail'];
  return patterns.flatMap((pattern) =>
    valuesAt(root, pattern).map(({ path }) => ({ path, message })),
  );
}

/** A job or a report, which has deliveries and a comment, with the reports that these carry. */
interface Carrier extends Placed {
  readonly reports: readonly unknown[];
  /** The clause that says that the reports are for no client. */
  readonly noClient: string;
}

function carriersIn(root: unknown): Carrier[] {
  return [
    ...valuesAt(root, 'jobs.*').map((job) => ({
      ...job,
      reports: itemsOf(fieldOf(job.value, 'reports')),
      noClient: 'no report of the job is for a client',
    })),
    ...valuesAt(root, 'jobs.*.reports.*').map((report) => ({
      ...report,
      reports: [report.value],
      noClient: 'the report is for no client',
    })),
  ];
}

/** The placeholder of clients has a meaning in paths of clients alone, and keeps their files apart. */
function carrierFindings(root: unknown, carrier: Carrier): Finding[] {
  const { path: base, value, reports, noClient } = carrier;
  const named = reports.map((entry) => fieldOf(entry, 'for'));
  const hasClients = named.some((clients) => clients !== undefined);
  const among = (patterns: readonly string[], isWrong: (text: string) => boolean) =>
    patterns.flatMap((pattern) =>
      textsAt(value, pattern, base).filter(({ value: text }) => isWrong(text)),
    );
  const comments = ['comment', 'comment.file', 'deliver.*.comment', 'deliver.*.comment.file'];
  const clientless = hasClients
    ? []
    : among([...comments, 'out', 'deliver.*.body'], (text) => text.includes(clientPlaceholder));
  const shared = hasClients
    ? among(['out', 'deliver.*.s3.prefix'], (text) => !text.includes(clientPlaceholder))
    : [];
  return [
    ...clientless.map(({ path }) => ({
      path: path.at(-1) === 'file' ? path.slice(0, -1) : path,
      message: `has ${clientPlaceholder}, but ${noClient}; add for: each`,
    })),
    ...shared.map(({ path }) => ({
      path,
      message: `must have ${clientPlaceholder}: each client gets its own files`,
    })),
    ...valuesAt(value, 'deliver.*', base).flatMap((delivery) =>
      deliveryFindings(root, delivery, carrier, hasClients ? named : null),
    ),
  ];
}

/** @param named the clients of the reports; null: there are none */
function deliveryFindings(
  root: unknown,
  { path, value: delivery }: Placed,
  { reports, noClient }: Carrier,
  named: readonly unknown[] | null,
): Finding[] {
  if (reports.length === 0)
    return [{ path, message: 'has nothing to deliver; add reports to the job' }];
  const made = reports.flatMap((entry): readonly unknown[] => {
    const formats = fieldOf(entry, 'formats');
    return Array.isArray(formats) ? formats : defaultFormats;
  });
  const missing = itemsOf(fieldOf(delivery, 'attach')).find((format) => !made.includes(format));
  const attach = `has ${JSON.stringify(missing)}, which is not in formats`;
  const findings = missing === undefined ? [] : [{ path: [...path, 'attach'], message: attach }];
  if (fieldOf(delivery, 'mail') !== 'client') return findings;
  const unreachable = entriesOf(fieldOf(root, 'clients')).filter(
    ([key, client]) =>
      named?.some((clients) => clients === 'each' || itemsOf(clients).includes(key)) &&
      itemsOf(fieldOf(client, 'to')).length === 0,
  );
  const problems = named
    ? unreachable.map(([key]) => `but the client ${quote(key)} has no addresses in to`)
    : [`but ${noClient}; add for: each`];
  const mail = [...path, 'mail'];
  return [
    ...findings,
    ...problems.map((problem) => ({ path: mail, message: `is client, ${problem}` })),
  ];
}

const minTokenLength = 16;

/** Refuses tokens that can be guessed. The message gives the length of a token, never its value. */
export function shortTokenFindings(root: unknown, lookup: Lookup): Finding[] {
  const tokens = [...textsAt(root, 'webhooks.token'), ...textsAt(root, 'webhooks.token.*')];
  return tokens.flatMap(({ path, value: token }) => {
    const variable = /^\$\{(\w+)\}$/.exec(token)?.[1];
    const value = variable === undefined ? undefined : lookup(variable).value;
    if (variable === undefined || value === undefined || value.length >= minTokenLength) return [];
    const message = `the environment variable ${variable} holds a token of ${value.length} characters, which can be guessed; set one of ${minTokenLength} or more, for example from: openssl rand -hex 32`;
    return [{ path, message }];
  });
}

function textAt(value: unknown, key: string): string {
  const child = fieldOf(value, key);
  return typeof child === 'string' ? child : '';
}

/** Returns the indexes of repeated values, each with the index of the first. Empty values do not count. */
function repeated(values: readonly string[]): { index: number; first: number }[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return value !== '' && first < index ? [{ index, first }] : [];
  });
}

/** Finds settings that are allowed but most likely not intended. */
export function findLikelyMistakes(raw: RawConfig): Finding[] {
  const jobs = Object.entries(raw.jobs);
  if (jobs.length === 0) return [{ path: [], message: 'has no jobs, so there is nothing to run' }];
  return [
    ...Object.entries(raw.workspaces).flatMap(([key, { base_url: url }]) =>
      addressWarnings(key, url),
    ),
    ...namesakeWarnings(raw),
    ...jobs.flatMap(([name, job]) => overlapWarnings(name, job, raw)),
    ...jobs.flatMap(([name, job]) => unreadWarnings(name, job, raw)),
    ...overwriteWarnings(jobs, Object.keys(raw.clients)),
  ];
}

function addressWarnings(key: string, url: string): Finding[] {
  const { protocol, hostname, pathname } = new URL(url);
  const path = ['workspaces', key, 'base_url'];
  const findings: Finding[] = [];
  if (protocol === 'http:' && !isLoopback(hostname)) {
    findings.push({ path, message: 'http sends the API key unencrypted; https does not' });
  }
  if (!/\/api\/v\d+\/*$/.test(pathname)) {
    findings.push({ path, message: 'does not end in /api/v1, as addresses of the API do' });
  }
  return findings;
}

function overlapWarnings(name: string, job: RawJob, raw: RawConfig): Finding[] {
  const workspaces = profilesByWorkspace(raw);
  const namedBy = new Map<object, string>();
  return job.profiles.flatMap((pattern, index) => {
    const profiles = profilesNamed([pattern], workspaces);
    const again = profiles.find((profile) => namedBy.has(profile));
    const first = again && namedBy.get(again);
    for (const profile of profiles) if (!namedBy.has(profile)) namedBy.set(profile, pattern);
    if (!again || first === undefined) return [];
    const message = `${quote(pattern)} names ${quote(again.name)}, as ${quote(first)} does; the profile is read once`;
    return [{ path: ['jobs', name, 'profiles', index], message }];
  });
}

/** Warns about names that several profiles of a workspace have, one of which may be a stranger. */
function namesakeWarnings(raw: RawConfig): Finding[] {
  const workspaces = profilesByWorkspace(raw);
  return ['clients.*.profiles.*', 'jobs.*.profiles.*'].flatMap((place) =>
    textsAt(raw, place).flatMap(({ path, value: pattern }) => {
      const profiles = pattern.endsWith('/*') ? [] : profilesNamed([pattern], workspaces);
      if (profiles.length < 2) return [];
      const ids = profiles.map(({ id }) => id).join(' and ');
      const message = `${quote(pattern)} names ${profiles.length} profiles, ${ids}; to name one of them, write its id instead of the name`;
      return [{ path, message }];
    }),
  );
}

/** Warns about reports of clients with a profile that no job reads. */
function unreadWarnings(name: string, job: RawJob, raw: RawConfig): Finding[] {
  const workspaces = profilesByWorkspace(raw);
  const named = (patterns: readonly string[]) => profilesNamed(patterns, workspaces);
  const read = new Set(Object.values(raw.jobs).flatMap(({ profiles }) => named(profiles)));
  return job.reports.flatMap(({ for: keys }, index) =>
    Object.entries(raw.clients)
      .filter(([key]) => keys === 'each' || keys?.includes(key))
      .flatMap(([key, { profiles }]) => {
        const unread = named(profiles).find((profile) => !read.has(profile));
        if (!unread) return [];
        const message = `includes the client ${quote(key)}, whose profile ${quote(unread.name)} is not read by any job`;
        return [{ path: ['jobs', name, 'reports', index, 'for'], message }];
      }),
  );
}

/** Warns if the same report is rendered into the same folder twice, since only the last one is kept. */
function overwriteWarnings(
  jobs: readonly [string, RawJob][],
  clients: readonly string[],
): Finding[] {
  const seen = new Set<string>();
  return jobs.flatMap(([name, job]) =>
    job.reports.flatMap((entry, index) => {
      const { report, for: keys = [''] } = entry;
      const out = outOf(entry);
      const folders = (keys === 'each' ? clients : keys).map((client) =>
        JSON.stringify([report, out.replaceAll('{job}', name).replaceAll('{client}', client)]),
      );
      const isRepeated = folders.some((folder) => seen.has(folder)) && !out.includes('{from}');
      for (const folder of folders) seen.add(folder);
      if (!isRepeated) return [];
      const message = `another ${report} report also goes to ${quote(out)} and may overwrite this one; add {job} or {from} to out`;
      return [{ path: ['jobs', name, 'reports', index, 'out'], message }];
    }),
  );
}

interface NamedProfile {
  /** A UUID in lower case. */
  readonly id: string;
  readonly name: string;
}

type Match<Profile> = { readonly profiles: readonly Profile[] } | { readonly problem: string };

/**
 * Returns the profiles that match `<workspace>/<profile name or id or *>`. A name that several profiles share
 * matches all of them. Names are case-sensitive.
 */
export function matchProfiles<Profile extends NamedProfile>(
  pattern: string,
  workspaces: ReadonlyMap<string, readonly Profile[]>,
): Match<Profile> {
  const slash = pattern.indexOf('/');
  const [key, wanted] = [pattern.slice(0, slash), pattern.slice(slash + 1)];
  const profiles = workspaces.get(key);
  if (!profiles) return { problem: `no workspace ${withHint(key, [...workspaces.keys()])}` };
  if (profiles.length === 0) return { problem: `the workspace ${quote(key)} has no profiles` };
  const matching = profiles.filter(
    ({ id, name }) => wanted === '*' || wanted.toLowerCase() === id || wanted === name,
  );
  if (matching.length > 0) return { profiles: matching };
  const names = profiles.flatMap(({ id, name }) => [name, id]);
  return { problem: `the workspace ${quote(key)} has no profile ${withHint(wanted, names)}` };
}

/** Lists the profiles that match one of the patterns; one that several match stands there several times. */
export function profilesNamed<Profile extends NamedProfile>(
  patterns: readonly string[],
  workspaces: ReadonlyMap<string, readonly Profile[]>,
): Profile[] {
  return patterns.flatMap((pattern) => {
    const match = matchProfiles(pattern, workspaces);
    return 'profiles' in match ? match.profiles : [];
  });
}

function withHint(wanted: string, known: readonly string[]): string {
  const hint = didYouMean(wanted, known);
  return hint === '' ? quote(wanted) : `${quote(wanted)}; ${hint}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
