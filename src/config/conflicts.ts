import { dayOf, type Day } from '../core/calendar.ts';
import { isLoopback } from '../core/loopback.ts';
import type { ConfigPath, Finding } from './config-error.ts';
import type { RawConfig, RawJob } from './jobs-schema.ts';
import { outOf } from './reports-schema.ts';
import { dayRule, profilePatternRule, timeZoneRule } from './value-kinds.ts';
import { didYouMean, hintAmong } from './nearest.ts';
import { entriesOf, fieldOf, itemsOf } from '../core/json.ts';
import type { Lookup } from './variables.ts';

interface ConflictContext {
  readonly now: Date;
  /** The names of all reports; null if they are unknown, so that names are not checked. */
  readonly knownReports: readonly string[] | null;
}

/**
 * Finds conflicts between sections that are valid by themselves. It reads the unparsed file, so that conflicts are
 * reported together with the schema's findings, and ignores malformed values, which the schema reports.
 */
export function findConflicts(root: unknown, context: ConflictContext): Finding[] {
  const jobs = entriesOf(fieldOf(root, 'jobs'));
  const clients = entriesOf(fieldOf(root, 'clients'));
  return [
    ...workspaceFindings(fieldOf(root, 'workspaces')),
    ...retentionFindings(root),
    ...notifyFindings(root),
    ...equalClientFindings(clients.map(([key]) => key)),
    ...clients.flatMap(([key, client]) => patternFindings(root, client, ['clients', key])),
    ...jobs.flatMap(([name, job]) => [
      ...patternFindings(root, job, ['jobs', name]),
      ...mailFindings(root, job, name),
      ...clientFindings(
        job,
        name,
        clients.map(([key]) => key),
      ),
      ...startFindings(root, job, name, context.now),
      ...reportFindings(job, name, context.knownReports),
    ]),
  ];
}

function workspaceFindings(workspaces: unknown): Finding[] {
  const entries = entriesOf(workspaces);
  return [
    ...slugFindings(entries),
    ...entries.flatMap(([key, workspace]) => profileFindings(workspace, key)),
  ];
}

/** Slugs must be unique, since events name their workspace by its slug alone. */
function slugFindings(workspaces: readonly [string, unknown][]): Finding[] {
  const slugs = workspaces.map(([key, workspace]) => textAt(workspace, 'slug') || key);
  return repeated(slugs).map(({ index, first }) => {
    const [key = '', earlier = ''] = [workspaces[index]?.[0], workspaces[first]?.[0]];
    const slug = JSON.stringify(slugs[index]);
    const message = `is ${slug}, which is also the slug of the workspace ${JSON.stringify(earlier)}, so events of the two cannot be told apart; the default slug is the key`;
    return { path: ['workspaces', key, 'slug'], message };
  });
}

function profileFindings(workspace: unknown, key: string): Finding[] {
  const profiles = itemsOf(fieldOf(workspace, 'profiles'));
  const ids = profiles.map((profile) => textAt(profile, 'id').toLowerCase());
  return repeated(ids).map(({ index, first }) => ({
    path: ['workspaces', key, 'profiles', index, 'id'],
    message: `is listed twice in the workspace, first in profiles[${first}]`,
  }));
}

/** @param owner the job or client at the path `place` */
function patternFindings(root: unknown, owner: unknown, place: ConfigPath): Finding[] {
  const workspaces = namedProfiles(root);
  return itemsOf(fieldOf(owner, 'profiles')).flatMap((pattern, index) => {
    if (typeof pattern !== 'string' || profilePatternRule(pattern)) return [];
    const match = matchProfiles(pattern, workspaces);
    const path = [...place, 'profiles', index];
    return 'problem' in match ? [{ path, message: match.problem }] : [];
  });
}

function namedProfiles(root: unknown) {
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

function startFindings(root: unknown, job: unknown, name: string, now: Date): Finding[] {
  const start = textAt(fieldOf(job, 'windows'), 'start');
  const today = lastDay(textAt(root, 'timezone'), now);
  if (dayRule(start) !== null || start <= today) return [];
  const message = `must not be in the future: today is ${today}, got ${JSON.stringify(start)}`;
  return [{ path: ['jobs', name, 'windows', 'start'], message }];
}

/** Returns the later of today in the time zone and today in UTC. */
function lastDay(timeZone: string, now: Date): Day {
  const zone = timeZone === '' || timeZoneRule(timeZone) ? 'UTC' : timeZone;
  const [here, utc] = [dayOf(now, zone), dayOf(now, 'UTC')];
  return here > utc ? here : utc;
}

function reportFindings(job: unknown, name: string, known: readonly string[] | null): Finding[] {
  return itemsOf(fieldOf(job, 'reports')).flatMap((entry, index) => {
    const report = textAt(entry, 'report');
    if (report === '' || known === null || known.includes(report)) return [];
    const path = ['jobs', name, 'reports', index, 'report'];
    return [{ path, message: `no report ${quote(report)}; ${hintAmong(report, known)}` }];
  });
}

/** Folders and files are named by clients, and some disks do not distinguish upper and lower case. */
function equalClientFindings(keys: readonly string[]): Finding[] {
  return repeated(keys.map((key) => key.toLowerCase())).map(({ index, first }) => ({
    path: ['clients', keys[index] ?? ''],
    message: `differs from ${quote(keys[first] ?? '')} by upper and lower case alone, so their reports may be in one folder; rename one of them`,
  }));
}

/** The clients of a report must exist. */
function clientFindings(job: unknown, name: string, known: readonly string[]): Finding[] {
  return itemsOf(fieldOf(job, 'reports')).flatMap((entry, index) => {
    const path = ['jobs', name, 'reports', index, 'for'];
    const named = fieldOf(entry, 'for');
    if (named === 'each' && known.length === 0)
      return [{ path, message: 'is each, but there are no clients' }];
    return itemsOf(named).flatMap((key, at) =>
      typeof key !== 'string' || key === '' || known.includes(key)
        ? []
        : [{ path: [...path, at], message: `no client ${withHint(key, known)}` }],
    );
  });
}

/** The number of days of the outbox has one place, and raw data of a lake are in a bucket. */
function retentionFindings(root: unknown): Finding[] {
  const retention = fieldOf(root, 'retention');
  const given = (key: string) => fieldOf(retention, key) !== undefined;
  const isLake = typeof fieldOf(root, 'warehouse') === 'object';
  const inLake = ['raw_days', 'events_days'].filter((key) => isLake && given(key));
  return [
    ...inLake.map((key) => ({
      path: ['retention', key],
      message: 'needs a warehouse in a file: give the bucket of a lake a rule of its own',
    })),
    ...(fieldOf(root, 'outbox_days') !== undefined && given('outbox_days')
      ? [{ path: ['outbox_days'], message: 'is in retention as well; leave one of the two out' }]
      : []),
  ];
}

function notifyFindings(root: unknown): Finding[] {
  if (fieldOf(root, 'mail') !== undefined) return [];
  return itemsOf(fieldOf(root, 'notify')).flatMap((rule, index) =>
    fieldOf(rule, 'mail') === undefined
      ? []
      : [{ path: ['notify', index, 'mail'], message: needsServer }],
  );
}

const needsServer = 'needs an SMTP server; add mail at the top level';

/** Mail needs a server, and a client that gets mail needs an address. */
function mailFindings(root: unknown, job: unknown, name: string): Finding[] {
  const reports = itemsOf(fieldOf(job, 'reports'));
  const place = ['jobs', name];
  return [
    ...reports.flatMap((entry, index) =>
      deliveryFindings(root, entry, [entry], [...place, 'reports', index]),
    ),
    ...deliveryFindings(root, job, reports, place),
  ];
}

/** @param owner the job or report at the path `place`, whose deliveries carry these reports */
function deliveryFindings(
  root: unknown,
  owner: unknown,
  reports: readonly unknown[],
  place: ConfigPath,
): Finding[] {
  const named = reports.map((entry) => fieldOf(entry, 'for'));
  const unreachable = entriesOf(fieldOf(root, 'clients')).filter(
    ([key, client]) =>
      named.some((clients) => clients === 'each' || itemsOf(clients).includes(key)) &&
      itemsOf(fieldOf(client, 'to')).length === 0,
  );
  return itemsOf(fieldOf(owner, 'deliver')).flatMap((delivery, index) => {
    const path = [...place, 'deliver', index, 'mail'];
    if (fieldOf(delivery, 'mail') === undefined) return [];
    if (fieldOf(root, 'mail') === undefined) return [{ path, message: needsServer }];
    if (fieldOf(delivery, 'mail') !== 'client') return [];
    return unreachable.map(([key]) => ({
      path,
      message: `is client, but the client ${quote(key)} has no addresses in to`,
    }));
  });
}

const minTokenLength = 16;

/** Refuses tokens that can be guessed. The message gives the length of a token, never its value. */
export function shortTokenFindings(root: unknown, lookup: Lookup): Finding[] {
  const path = ['webhooks', 'token'];
  const given = fieldOf(fieldOf(root, 'webhooks'), 'token');
  const tokens = Array.isArray(given)
    ? given.map((token: unknown, index) => ({ at: [...path, index], token }))
    : [{ at: path, token: given }];
  return tokens.flatMap(({ at, token }) => {
    const variable = typeof token === 'string' ? /^\$\{(\w+)\}$/.exec(token)?.[1] : undefined;
    const value = variable === undefined ? undefined : lookup(variable).value;
    if (variable === undefined || value === undefined || value.length >= minTokenLength) return [];
    const message = `the environment variable ${variable} holds a token of ${value.length} characters, which can be guessed; set one of ${minTokenLength} or more, for example from: openssl rand -hex 32`;
    return [{ path: at, message }];
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
  const workspaces = namedProfiles(raw);
  const namedBy = new Map<object, string>();
  return job.profiles.flatMap((pattern, index) => {
    const match = matchProfiles(pattern, workspaces);
    const profiles = 'profiles' in match ? match.profiles : [];
    const again = profiles.find((profile) => namedBy.has(profile));
    const first = again && namedBy.get(again);
    for (const profile of profiles) if (!namedBy.has(profile)) namedBy.set(profile, pattern);
    if (!again || first === undefined) return [];
    const message = `${quote(pattern)} names ${quote(again.name)}, as ${quote(first)} does; the profile is read once`;
    return [{ path: ['jobs', name, 'profiles', index], message }];
  });
}

/** Warns about reports of clients with a profile that no job reads. */
function unreadWarnings(name: string, job: RawJob, raw: RawConfig): Finding[] {
  const workspaces = namedProfiles(raw);
  const named = (patterns: readonly string[]) =>
    patterns.flatMap((pattern) => {
      const match = matchProfiles(pattern, workspaces);
      return 'profiles' in match ? match.profiles : [];
    });
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

function withHint(wanted: string, known: readonly string[]): string {
  const hint = didYouMean(wanted, known);
  return hint === '' ? quote(wanted) : `${quote(wanted)}; ${hint}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
