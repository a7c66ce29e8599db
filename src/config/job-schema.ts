import { z } from 'zod';
import { dayOf, type Day } from '../core/calendar.ts';
import {
  figuresSchema,
  notesSchema,
  targetFindings,
  targetsSchema,
  type ClientConfig,
  type ParsedClients,
} from './clients-schema.ts';
import { commentSchema } from './comment-schema.ts';
import type { ConfigPath, Finding } from './config-error.ts';
import {
  deliveryFindings,
  deliveryFor,
  deliverySchema,
  placeholderFindings,
  type General,
} from './deliveries-schema.ts';
import type { Frozen } from './frozen.ts';
import { sectionFindings, type KnownSections } from './reader-copy.ts';
import {
  isFor,
  outOf,
  reportFindings,
  reportFor,
  reportSchema,
  type JobReport,
  type ParsedReport,
} from './reports-schema.ts';
import {
  bound,
  count,
  cronRule,
  dayRule,
  durationMs,
  durationRule,
  keyed,
  profilePatterns,
  quote,
  secret,
  text,
} from './value-kinds.ts';
import {
  profilesNamed,
  profilesOf,
  type ProfileConfig,
  type Workspaces,
} from './workspaces-schema.ts';

/** A century, which is more than any job reads. */
export const maxDays = 36_525;

const windowsSchema = bound(
  z.strictObject({
    start: text('The first day that is ever read; an alternative to days', dayRule).optional(),
    days: count('The number of days up to today; an alternative to start', 1, maxDays).optional(),
    size_days: count(
      'The length in days of the date range that one request reads',
      1,
      maxDays,
    ).default(30),
    refresh_days: count(
      'The age in days up to which a date range is read on every run; older ones are read less and less often',
      0,
      maxDays,
    ).default(35),
  }),
  ({ start, days }, report) => {
    if ((start === undefined) !== (days === undefined)) return;
    const which = start === undefined ? 'none' : 'both';
    report([], `must have either start or days, got ${which}`);
  },
).transform(({ start, days, size_days: sizeDays, refresh_days: refreshDays }) => {
  return { start: start ?? null, days: days ?? null, sizeDays, refreshDays };
});

/** What is read of a post that a LinkedIn post is linked to, each by a request of its own. */
const detailKinds = ['post', 'approvals', 'comments'] as const;
export type DetailKind = (typeof detailKinds)[number];

const jobSchema = bound(
  z.strictObject({
    schedule: text(
      'Five cron fields in timezone; a job without a schedule is run by hand',
      cronRule,
    ).optional(),
    stale_after: text(
      'The age at which the newest data becomes stale, such as 30h or 2d; default: twice the time between two runs',
      durationRule,
    )
      .transform(durationMs)
      .optional(),
    profiles: profilePatterns('The profiles to read: <workspace>/<profile name or id or *>'),
    windows: windowsSchema.describe('The days that are read, and how often'),
    details: z
      .union([z.boolean(), z.array(z.enum(detailKinds)).min(1)])
      .describe(
        'True or [post] to read GET /posts/{id} for linked posts; [post, approvals, comments] to read their approvals and inline comments too. Each takes a request per post',
      )
      .default(false),
    targets: targetsSchema,
    figures: figuresSchema,
    comment: commentSchema.optional(),
    notes: notesSchema,
    ping: secret(
      'An address that is requested with /start when a run starts, and with /<exit code> when it ends',
    ).optional(),
    reports: z.array(reportSchema).describe('The reports to render after a run').prefault([]),
    deliver: z
      .array(deliverySchema)
      .describe(
        'The recipients of all reports of the job together, with the keys of `reports[].deliver`; each client gets its own delivery',
      )
      .prefault([]),
  }),
  targetFindings,
).transform(({ schedule, stale_after: staleAfterMs, details, ping, ...job }) => ({
  ...job,
  ping: ping ?? null,
  /** Five cron fields in `timezone`; null for a job that is run only by hand. */
  schedule: schedule?.trim() ?? null,
  /**
   * The age at which the newest reading of a profile becomes stale; null for twice the longest time between two
   * runs of the schedule.
   */
  staleAfterMs: staleAfterMs ?? null,
  details: detailsOf(details),
}));

function detailsOf(details: boolean | readonly DetailKind[]): DetailKind[] {
  if (typeof details === 'boolean') return details ? ['post'] : [];
  return [...new Set(details)];
}

export const jobsByNameSchema = keyed(jobSchema);

type ParsedJob = z.output<typeof jobSchema>;
type ParsedJobs = z.output<typeof jobsByNameSchema>;

export interface JobConfig extends Frozen<ReturnType<typeof jobOf>> {}
export type WindowsConfig = JobConfig['windows'];

/** @param clients all clients by key */
export function jobOf(
  { windows, comment, figures, reports: parsedReports, deliver, ...job }: ParsedJob,
  name: string,
  workspaces: Workspaces,
  clients: ReadonlyMap<string, ClientConfig>,
  general: General,
) {
  const reports = parsedReports.flatMap((report, index) =>
    clientsOf(report, clients).map((client): JobReport =>
      reportFor({ ...report, comment: report.comment ?? comment, index }, client, general),
    ),
  );
  return {
    ...job,
    name,
    profiles: profilesOf(job.profiles, workspaces),
    /** Figures that the API does not give, for reports that are for no client; null: none. */
    figures: figures === undefined ? null : { file: general.absolute(figures), isShared: false },
    /** Days in `timezone`. Exactly one of `start` and `days` is given; `days` end with today. */
    windows,
    /** The reports of one client after the other, each in the file's order. */
    reports: reportsByClient(reports).flat(),
    /** For each client of the reports, or for none, the deliveries that carry all of its reports. */
    deliver: reportsByClient(reports).map(([{ client }]) => ({
      client,
      deliveries: deliver.map((delivery) => deliveryFor(delivery, client, general)),
    })),
  };
}

/** Returns each client of the report once, or null if it is for the job's owner alone. */
function clientsOf(
  { clients: named }: ParsedReport,
  clients: ReadonlyMap<string, ClientConfig>,
): (ClientConfig | null)[] {
  if (named === null) return [null];
  const keys = named === 'each' ? clients.keys() : new Set(named);
  return [...keys].flatMap((key) => clients.get(key) ?? []);
}

type ClientReports = readonly [JobReport, ...JobReport[]];

/** Groups reports by their client. */
export function reportsByClient(reports: readonly JobReport[]): ClientReports[] {
  const groups = new Map<ClientConfig | null, [JobReport, ...JobReport[]]>();
  for (const report of reports) {
    const group = groups.get(report.client);
    if (group) group.push(report);
    else groups.set(report.client, [report]);
  }
  return [...groups.values()];
}

/** What the rules of jobs ask of the rest of the file. */
interface Rest {
  readonly clients: ParsedClients;
  readonly timezone: string;
  /** Set if there is a server that sends mail. */
  readonly hasServer: boolean;
  readonly now: Date;
  /** The names of all reports; null if they are unknown, so that names are not checked. */
  readonly knownReports: readonly string[] | null;
  /** The sections of all reports; null if they are unknown, so that names are not checked. */
  readonly knownSections: KnownSections | null;
}

/** Refuses sections of clients that none of their reports has. */
export function clientFindings(
  jobs: ParsedJobs,
  { clients, knownSections }: Pick<Rest, 'clients' | 'knownSections'>,
): Finding[] {
  const reports = Object.values(jobs).flatMap((job) => job.reports);
  return Object.entries(clients).flatMap(([key, client]) => {
    const own = reports.flatMap((report) => (isFor(report, key) ? report.report : []));
    const names = own.length > 0 ? own : [...(knownSections?.keys() ?? [])];
    return sectionFindings(client, ['clients', key], names, knownSections);
  });
}

/** Refuses what jobs cannot do with the rest of the file. */
export function jobFindings(jobs: ParsedJobs, rest: Rest): Finding[] {
  return Object.entries(jobs).flatMap(([name, job]) => {
    const path = ['jobs', name];
    return [
      ...startFindings(job, path, rest),
      ...carrierFindings(job, path, job.reports, rest, 'no report of the job is for a client'),
      ...job.reports.flatMap((report, index) => {
        const ofReport = [...path, 'reports', index];
        return [
          ...reportFindings(report, ofReport, Object.keys(rest.clients), rest.knownReports),
          ...carrierFindings(report, ofReport, [report], rest, 'the report is for no client'),
          ...sectionFindings(report, ofReport, [report.report], rest.knownSections),
        ];
      }),
    ];
  });
}

function startFindings(
  { windows: { start } }: ParsedJob,
  path: ConfigPath,
  { timezone, now }: Rest,
): Finding[] {
  const today = lastDay(timezone, now);
  if (start === null || start <= today) return [];
  const message = `must not be in the future: today is ${today}, got ${quote(start)}`;
  return [{ path: [...path, 'windows', 'start'], message }];
}

/** Returns the later of today in the time zone and today in UTC. */
function lastDay(timeZone: string, now: Date): Day {
  const [here, utc] = [dayOf(now, timeZone), dayOf(now, 'UTC')];
  return here > utc ? here : utc;
}

/**
 * The placeholder of clients has a meaning in paths of clients alone, and keeps their files apart.
 * @param carrier a job or a report, which has deliveries and a comment
 * @param reports the reports that these carry
 * @param clause says that the reports are for no client
 */
function carrierFindings(
  carrier: Pick<ParsedJob, 'comment' | 'deliver'> & { readonly out?: string | undefined },
  path: ConfigPath,
  reports: readonly ParsedReport[],
  { clients, hasServer, knownSections }: Rest,
  clause: string,
): Finding[] {
  const { comment, out, deliver } = carrier;
  const names = reports.map(({ report }) => report);
  const noClient = reports.some((report) => report.clients !== null) ? null : clause;
  const carried = {
    formats: reports.flatMap(({ formats }) => formats),
    clients: Object.keys(clients).filter((key) => reports.some((report) => isFor(report, key))),
    noClient,
  };
  return [
    ...placeholderFindings(noClient ? { comment: comment?.file, out } : { out }, path, noClient),
    ...deliver.flatMap((delivery, index) => {
      const ofDelivery = [...path, 'deliver', index];
      if (reports.length === 0)
        return [{ path: ofDelivery, message: 'has nothing to deliver; add reports to the job' }];
      return [
        ...deliveryFindings(delivery, ofDelivery, carried, { clients, hasServer }),
        ...sectionFindings(delivery, ofDelivery, names, knownSections),
      ];
    }),
  ];
}

/** Warns about settings of jobs that are allowed but most likely not intended. */
export function jobWarnings(
  jobs: ParsedJobs,
  clients: ParsedClients,
  workspaces: Workspaces,
): Finding[] {
  const named = Object.entries(jobs);
  return [
    ...named.flatMap(([name, { profiles }]) => overlapWarnings(name, profiles, workspaces)),
    ...unreadWarnings(jobs, clients, workspaces),
    ...overwriteWarnings(jobs, Object.keys(clients)),
  ];
}

function overlapWarnings(
  name: string,
  patterns: readonly string[],
  workspaces: Workspaces,
): Finding[] {
  const namedBy = new Map<ProfileConfig, string>();
  return patterns.flatMap((pattern, index) => {
    const profiles = profilesNamed(pattern, workspaces);
    const again = profiles.find((profile) => namedBy.has(profile));
    const first = again && namedBy.get(again);
    for (const profile of profiles) if (!namedBy.has(profile)) namedBy.set(profile, pattern);
    if (!again || first === undefined) return [];
    const message = `${quote(pattern)} names ${quote(again.name)}, as ${quote(first)} does; the profile is read once`;
    return [{ path: ['jobs', name, 'profiles', index], message }];
  });
}

/** Warns about reports of clients with a profile that no job reads. */
function unreadWarnings(
  jobs: ParsedJobs,
  clients: ParsedClients,
  workspaces: Workspaces,
): Finding[] {
  const named = (patterns: readonly string[]) =>
    patterns.flatMap((pattern) => profilesNamed(pattern, workspaces));
  const read = new Set(Object.values(jobs).flatMap(({ profiles }) => named(profiles)));
  return Object.entries(jobs).flatMap(([name, { reports }]) =>
    reports.flatMap((report, index) =>
      Object.entries(clients)
        .filter(([key]) => isFor(report, key))
        .flatMap(([key, { profiles }]) => {
          const unread = named(profiles).find((profile) => !read.has(profile));
          if (!unread) return [];
          const message = `includes the client ${quote(key)}, whose profile ${quote(unread.name)} is not read by any job`;
          return [{ path: ['jobs', name, 'reports', index, 'for'], message }];
        }),
    ),
  );
}

/** Warns if the same report is rendered into the same folder twice, since only the last one is kept. */
function overwriteWarnings(jobs: ParsedJobs, clients: readonly string[]): Finding[] {
  const seen = new Set<string>();
  return Object.entries(jobs).flatMap(([name, job]) =>
    job.reports.flatMap((report, index) => {
      const out = outOf(report);
      const keys = report.clients === 'each' ? clients : (report.clients ?? ['']);
      const folders = keys.map((key) =>
        JSON.stringify([report.report, out.replaceAll('{job}', name).replaceAll('{client}', key)]),
      );
      const isRepeated = folders.some((folder) => seen.has(folder)) && !out.includes('{from}');
      for (const folder of folders) seen.add(folder);
      if (!isRepeated) return [];
      const message = `another ${report.report} report also goes to ${quote(out)} and may overwrite this one; add {job} or {from} to out`;
      return [{ path: ['jobs', name, 'reports', index, 'out'], message }];
    }),
  );
}
