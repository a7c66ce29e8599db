import { dayOf, type Day } from '../core/calendar.ts';
import type { ConfigPath } from './config-path.ts';
import type { Finding } from './finding.ts';
import { dayRule, keyPattern, profilePatternRule, timeZoneRule } from './leaf-rules.ts';
import { didYouMean } from './nearest.ts';
import { matchProfiles } from './profile-patterns.ts';
import { childAt, entriesOf, isMapping, itemsOf } from './raw-tree.ts';
import { webhookFindings } from './webhook-conflicts.ts';

export interface ConflictContext {
  readonly now: Date;
  /** Null when nobody knows: names of reports are not checked then. */
  readonly knownReports: readonly string[] | null;
}

/**
 * What is wrong between places that are right each by themselves. Reads the file as it stands, so that
 * these are told together with all that the schema finds; what is malformed is left to the schema.
 */
export function findConflicts(root: unknown, context: ConflictContext): Finding[] {
  return [
    ...bandFindings(root),
    ...keyFindings(root, 'workspaces'),
    ...keyFindings(root, 'jobs'),
    ...workspaceFindings(root),
    ...entriesOf(childAt(root, 'jobs')).flatMap(([name, job]) =>
      jobFindings(root, job, ['jobs', name], context),
    ),
    ...webhookFindings(root),
  ];
}

function bandFindings(root: unknown): Finding[] {
  const band = childAt(root, 'cpm_band');
  const [low, high] = [childAt(band, 'low'), childAt(band, 'high')];
  if (typeof low !== 'number' || typeof high !== 'number' || low <= high) return [];
  return [{ path: ['cpm_band'], message: `low must not be above high, got ${low} and ${high}` }];
}

function keyFindings(root: unknown, place: string): Finding[] {
  return entriesOf(childAt(root, place))
    .filter(([key]) => !keyPattern.test(key))
    .map(([key]) => ({
      path: [place, key],
      message: 'must be up to 64 letters, digits and . _ - and begin with a letter or a digit',
    }));
}

function workspaceFindings(root: unknown): Finding[] {
  const workspaces = childAt(root, 'workspaces');
  const entries = entriesOf(workspaces);
  if (isMapping(workspaces) && entries.length === 0) {
    return [{ path: ['workspaces'], message: 'must have at least one workspace' }];
  }
  return [
    // Keys are names of folders, and some file systems do not tell the case of letters.
    ...repeated(entries.map(([key]) => key.toLowerCase())).map(({ index, first }) => ({
      path: ['workspaces', entries[index]?.[0] ?? ''],
      message: `differs only in capitals from ${JSON.stringify(entries[first]?.[0])}`,
    })),
    ...slugFindings(entries),
    ...entries.flatMap(([key, workspace]) => profileFindings(workspace, ['workspaces', key])),
  ];
}

/** Events name their workspace by its slug alone. */
function slugFindings(workspaces: readonly [string, unknown][]): Finding[] {
  const slugs = workspaces.map(([key, workspace]) => textAt(workspace, 'slug') || key);
  return repeated(slugs).map(({ index, first }) => {
    const [key = '', earlier = ''] = [workspaces[index]?.[0], workspaces[first]?.[0]];
    const slug = JSON.stringify(slugs[index]);
    const message = `is ${slug}, as of the workspace ${JSON.stringify(earlier)}, so that events of the two could not be told apart; without a slug the key counts`;
    return { path: ['workspaces', key, 'slug'], message };
  });
}

function profileFindings(workspace: unknown, path: ConfigPath): Finding[] {
  const ids = itemsOf(childAt(workspace, 'profiles')).map((profile) => childAt(profile, 'id'));
  return repeated(ids.map((id) => (typeof id === 'string' ? id.toLowerCase() : null))).map(
    ({ index, first }) => ({
      path: [...path, 'profiles', index, 'id'],
      message: `stands twice in the workspace, first in profiles[${first}]`,
    }),
  );
}

function jobFindings(
  root: unknown,
  job: unknown,
  path: ConfigPath,
  context: ConflictContext,
): Finding[] {
  return [
    ...patternFindings(root, job, path),
    ...windowFindings(root, childAt(job, 'windows'), [...path, 'windows'], context.now),
    ...itemsOf(childAt(job, 'reports')).flatMap((report, index) => {
      const place = [...path, 'reports', index];
      return [
        ...periodFindings(childAt(report, 'period'), [...place, 'period']),
        ...reportNameFindings(childAt(report, 'report'), [...place, 'report'], context),
      ];
    }),
  ];
}

function patternFindings(root: unknown, job: unknown, path: ConfigPath): Finding[] {
  const workspaces = namedProfiles(root);
  return itemsOf(childAt(job, 'profiles')).flatMap((pattern, index) => {
    if (typeof pattern !== 'string' || profilePatternRule(pattern)) return [];
    const match = matchProfiles(pattern, workspaces);
    const place = [...path, 'profiles', index];
    return 'problem' in match ? [{ path: place, message: match.problem }] : [];
  });
}

function namedProfiles(root: unknown) {
  return new Map(
    entriesOf(childAt(root, 'workspaces')).map(([key, workspace]) => [
      key,
      itemsOf(childAt(workspace, 'profiles')).map((profile) => ({
        id: textAt(profile, 'id').toLowerCase(),
        name: textAt(profile, 'name'),
      })),
    ]),
  );
}

function windowFindings(root: unknown, windows: unknown, path: ConfigPath, now: Date): Finding[] {
  if (!isMapping(windows)) return [];
  const [start, days] = [childAt(windows, 'start'), childAt(windows, 'days')];
  const findings: Finding[] = [];
  if ((start === undefined) === (days === undefined)) {
    const which = start === undefined ? 'none' : 'both';
    findings.push({ path, message: `must have either start or days, got ${which}` });
  }
  const today = lastDay(textAt(root, 'timezone'), now);
  if (typeof start === 'string' && dayRule(start) === null && start > today) {
    const message = `must not be in the future: today is ${today}, got ${JSON.stringify(start)}`;
    findings.push({ path: [...path, 'start'], message });
  }
  return findings;
}

/** The later of today there and today in UTC. */
function lastDay(timeZone: string, now: Date): Day {
  const zone = timeZone === '' || timeZoneRule(timeZone) ? 'UTC' : timeZone;
  const [here, utc] = [dayOf(now, zone), dayOf(now, 'UTC')];
  return here > utc ? here : utc;
}

function periodFindings(period: unknown, path: ConfigPath): Finding[] {
  if (!isMapping(period)) return [];
  const [from, to] = [textAt(period, 'from'), textAt(period, 'to')];
  if (Object.keys(period).length === 0) {
    return [{ path, message: 'must have from, to or both' }];
  }
  if (from === '' || to === '' || from <= to || dayRule(from) || dayRule(to)) return [];
  return [{ path, message: `from must not be after to, got ${from} and ${to}` }];
}

function reportNameFindings(
  name: unknown,
  path: ConfigPath,
  { knownReports }: ConflictContext,
): Finding[] {
  if (typeof name !== 'string' || name === '' || knownReports === null) return [];
  if (knownReports.includes(name)) return [];
  const hint = didYouMean(name, knownReports) || `known are ${knownReports.join(', ')}`;
  return [{ path, message: `no report ${JSON.stringify(name)}; ${hint}` }];
}

function textAt(value: unknown, key: string): string {
  const child = childAt(value, key);
  return typeof child === 'string' ? child : '';
}

/** Indexes of values that stood before, with the index of the first; nulls do not count. */
function repeated(values: readonly (string | null)[]): { index: number; first: number }[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return value !== null && first < index ? [{ index, first }] : [];
  });
}
