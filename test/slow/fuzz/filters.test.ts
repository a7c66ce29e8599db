import { join } from 'node:path';
import { Command, CommanderError } from '@commander-js/extra-typings';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addReportFilters, filtersOf } from '../../../src/commands/report-filters.ts';
import { dayOf } from '../../../src/core/calendar.ts';
import { UsageError } from '../../../src/core/errors.ts';
import type { ReportParameters } from '../../../src/report/report-parameters.ts';
import { openReportSession } from '../../../src/report/report-session.ts';
import {
  generatedProfiles,
  generatedRows,
  generatePosts,
  type GeneratedPost,
} from '../../report/support/generated-rows.ts';
import { makeWarehouse, reportConfig } from '../../report/support/report-warehouse.ts';
import { assertHolds, fuzzTimeoutMs } from '../../support/fuzz.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const timezone = 'Europe/Berlin';
const posts = generatePosts(120);
const profileNames = new Map(
  generatedProfiles.map((one) => [`${one.workspace}/${one.profile_id}`, one.name]),
);

const odd = fc.oneof(
  fc.constantFrom(
    "'",
    "' or 1=1 --",
    "'; drop table posts; --",
    '"',
    '$campaigns',
    '{x}',
    '%',
    '_',
    '(none) ',
    'ACME',
  ),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\u202e',
    '[]',
    "['Event']",
    'null',
    'Event,Hiring',
    'Grid, "2026"\n',
    '\uFEFFEvent',
  ),
  fc.string({ unit: 'binary', maxLength: 10 }),
);

/** Mostly what the warehouse knows, by flag. */
function some(flag: string, known: readonly string[]): fc.Arbitrary<string[]> {
  const value = fc.oneof({ weight: 24, arbitrary: fc.constantFrom(...known) }, odd);
  return fc
    .array(value, { maxLength: 2 })
    .map((values) => values.flatMap((each) => [`--${flag}=${each}`]));
}

const known = {
  workspace: ['acme', 'beta'],
  profile: ['p1', 'p2', 'p3', 'Acme', 'Mara Lind', 'Beta'],
  campaign: ['Spring', 'Heat pumps', 'Grid, "2026"', '(none)'],
  label: ['Event', 'Hiring', 'Ærø', '(none)'],
  type: [...new Set(posts.map(({ type }) => type))],
};
const day = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      '2025-01-01',
      '2025-08-31',
      '2025-10-26',
      '2026-01-31',
      '2024-02-29',
    ),
  },
  fc.constantFrom(
    '2025-02-29',
    '2025-1-1',
    '0000-00-00',
    '9999-12-31',
    '20250101',
    'today',
    "2025-01-01'",
    '',
  ),
);
const single = (flag: string, value: fc.Arbitrary<string>) =>
  fc.option(value, { freq: 2 }).map((given) => (given === null ? [] : [`--${flag}=${given}`]));
const asked = fc
  .tuple(
    ...Object.entries(known).map(([flag, values]) => some(flag, values)),
    single('from', day),
    single('to', day),
    single(
      'cpm',
      fc.constantFrom('0', '45', '12.5', '1e3', '-1', 'NaN', '99999999999999999999', ''),
    ),
    single('removed', fc.constantFrom('exclude', 'include', 'only', 'all')),
    single('compare', fc.constantFrom('previous', 'year', 'none', "none'")),
  )
  .map((flags) => flags.flat());

const now = new Date('2026-01-15T12:00:00Z');
const config = { timezone: 'UTC', clients: new Map() };

/** What the flags ask for; null when they are wrong usage. */
function readFlags(args: readonly string[]): ReportParameters | null {
  const command = new Command('run').exitOverride().configureOutput({ writeErr: () => undefined });
  addReportFilters(command);
  try {
    command.parse([...args], { from: 'user' });
    return filtersOf(command, config, now).parameters;
  } catch (error) {
    const isTold = error instanceof UsageError || error instanceof CommanderError;
    if (!isTold) throw error;
    return null;
  }
}

function isKnown(parameters: ReportParameters): boolean {
  const { workspaces, profiles, campaigns, labels, types, from, to } = parameters;
  const holds = (values: readonly string[], names: readonly string[]) =>
    values.every((each) => names.includes(each));
  const isInOrder = from === null || to === null || from <= to;
  return (
    isInOrder &&
    holds(workspaces, known.workspace) &&
    holds(profiles, namesIn(workspaces)) &&
    holds(campaigns, known.campaign) &&
    holds(labels, known.label) &&
    holds(types, known.type)
  );
}

/** What profiles of these workspaces can be called; of all, where none is named. */
function namesIn(workspaces: readonly string[]): string[] {
  return generatedProfiles
    .filter(({ workspace }) => workspaces.length === 0 || workspaces.includes(workspace))
    .flatMap(({ name, profile_id }) => [name, profile_id]);
}

function passes(post: GeneratedPost, parameters: ReportParameters): boolean {
  const { workspaces, profiles, campaigns, labels, types, removed } = parameters;
  const meets = (wanted: readonly string[], own: readonly string[]) =>
    wanted.length === 0 || wanted.some((each) => own.includes(each));
  const names = post.labels.map(({ name }) => name);
  const isRemoved = post.removedAt !== null;
  return (
    meets(workspaces, [post.workspace]) &&
    meets(profiles, [
      post.profileId,
      profileNames.get(`${post.workspace}/${post.profileId}`) ?? '',
    ]) &&
    meets(campaigns, [post.campaign ?? '(none)']) &&
    meets(labels, names.length === 0 ? ['(none)'] : names) &&
    meets(types, [post.type]) &&
    (removed === 'include' || isRemoved === (removed === 'only')) &&
    isInPeriod(post, parameters)
  );
}

function isInPeriod({ publishedAt }: GeneratedPost, { from, to }: ReportParameters): boolean {
  if (from === null && to === null) return true;
  if (publishedAt === null) return false;
  const published = dayOf(new Date(publishedAt), timezone);
  return (from === null || published >= from) && (to === null || published <= to);
}

/** By id; with a CPM every known impression has its price. */
function pricesOf(parameters: ReportParameters): Map<string, number | null> {
  const { cpm } = parameters;
  const chosen = posts.filter((post) => passes(post, parameters));
  return new Map(
    chosen.map(({ id, impressions }) => [
      id,
      cpm === null || impressions === null ? null : (impressions * cpm) / 1000,
    ]),
  );
}

test(
  'whatever stands behind the flags of a report, its posts are those that a plain filter gives, or it is wrong usage',
  async () => {
    const warehouse = join(await temporaryFolder(), 'w.duckdb');
    await makeWarehouse(warehouse, generatedRows(posts));
    await assertHolds(
      fc.asyncProperty(asked, async (args) => {
        const parameters = readFlags(args);
        if (parameters === null) return;
        const opening = openReportSession(reportConfig(warehouse), parameters);
        if (!isKnown(parameters)) {
          await expect(opening).rejects.toThrow(UsageError);
          return;
        }
        const session = await opening;
        try {
          const { rows } = await session.database.query(
            'select linkedin_post_id, emv from report_posts',
          );
          const prices = pricesOf(parameters);
          expect(rows.map(([id]) => id).sort()).toEqual([...prices.keys()].sort());
          if (parameters.cpm === null) return;
          for (const [id, emv] of rows)
            expect([id, emv]).toEqual([id, expectedPrice(prices.get(String(id)))]);
        } finally {
          session.close();
        }
      }),
      20,
    );
  },
  fuzzTimeoutMs,
);

/** To the last digits, in which a sum of doubles may differ. */
function expectedPrice(price: number | null | undefined): unknown {
  return typeof price === 'number' ? (expect.closeTo(price, 6) as unknown) : null;
}
