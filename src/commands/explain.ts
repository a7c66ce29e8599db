import { relative } from 'node:path';
import type { Config } from '../config/config.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import { plural, thousands } from '../core/wording.ts';
import { type ColumnFormat, createFormatter, type Formatter } from '../languages/number-format.ts';
import { withinLimits } from '../warehouse/limits.ts';
import { RawRecords, type Located } from '../explain/raw-records.ts';
import {
  CellExplainer,
  type CellExplanation,
  type CellReference,
  type ExplainedColumn,
  type GivenValue,
} from '../explain/cell-explanation.ts';
import { explainPost, type Metric, type PostExplanation } from '../explain/post-explanation.ts';
import {
  builtInReports,
  examineReports,
  userReports,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import type { UnreadDays } from '../report/report-document.ts';
import { reportConfigOf } from '../report/report-parameters.ts';
import { openReportSession, type ReportSession } from '../report/report-session.ts';
import { eventPath } from '../store/event-store.ts';
import { rawFolder } from '../store/layout.ts';
import type { DatabaseValue } from '../warehouse/cell.ts';
import type { Register } from './context.ts';
import { addLimits, limitsOf } from './limit-flags.ts';
import { collect } from './option-values.ts';
import { listing, type Column } from './listing.ts';
import { addReportFilters, filtersOf } from './report-filters.ts';
import { namedReports } from './report-run.ts';
import {
  fieldLines,
  foreignName,
  localTime,
  nothing,
  type Field,
  type LocalTerminal,
} from './view.ts';

export const register: Register = (program, invoke) => {
  const command = program
    .command('explain')
    .argument('<what>', 'a report, or the id or address of a LinkedIn post')
    .option('--section <name>', 'of the report')
    .option('--column <name>', 'of the section (default: the one that it is sorted by)')
    .option('--row <column=value>', 'the row that has this value; may be repeated', collect)
    .option('--month <month>', 'the row of this month, as --row month=YYYY-MM')
    .option('--json', 'as JSON');
  addReportFilters(command);
  addLimits(command, 'the explanation');
  command.addHelpText(
    'after',
    `
Of a cell of a report it lists the posts behind it, what each adds to it, and which are left out and why. Of a post it
shows each figure, its readings over time, the events about it and the CPM at work. Both end in the file of the raw
store and the place of the record in its array: zcat FILE | jq '.[PLACE]' prints the record.

With the flags of \`report run\` it explains the figures of that report.

Examples:
  $ postledger explain emv --section by_month --month 2026-03
  $ postledger explain engagement --section by_label --row label=Hiring --column engagement_rate
  $ postledger explain emv --section summary --column removed_emv --period last_month --for acme
  $ postledger explain https://www.linkedin.com/feed/update/urn:li:share:7100000000000000001`,
  );
  command.action((what, options) =>
    invoke(async (context) => {
      const config = await context.loadConfig();
      const { clock, output, signal } = context;
      const now = clock.now();
      const { parameters, set, client } = filtersOf(command, config, now);
      const reportConfig = reportConfigOf(config, client, now);
      const definition = await reportOf(config, what, options);
      const reference = definition && referenceOf(definition, options);
      const tools = { clock, signal, limits: limitsOf(command) };
      const view = { ...output, timezone: reportConfig.timezone };
      const { json, lines } = await withinLimits('the explanation', tools, async (limits) => {
        const session = await openReportSession(reportConfig, parameters, { limits });
        const { language } = session;
        const reader = { ...view, formatter: createFormatter({ ...session.config, language }) };
        try {
          if (!definition || !reference)
            return await explainedPost(session, what, config.dataDir, reader);
          const cell = await CellExplainer.with(session, definition, set, (explainer) =>
            explainer.explain(reference),
          );
          return await explainedCell(cell, session.unreadDays, config.dataDir, reader);
        } finally {
          session.close();
        }
      });
      output.write(
        options.json ? `${JSON.stringify(json, exactInteger, 2)}\n` : `${lines.join('\n')}\n`,
      );
      return exitCodes.done;
    }),
  );
};

/** An explanation as JSON, and as lines. */
interface Explained {
  readonly json: object;
  readonly lines: readonly string[];
}

/** Who reads an explanation: figures are printed as in reports. */
interface Reader extends LocalTerminal {
  readonly formatter: Formatter;
}

interface CellFlags {
  readonly section?: string | undefined;
  readonly column?: string | undefined;
  readonly row?: string[] | undefined;
  readonly month?: string | undefined;
}

/** The report that is named, if one is; whoever asks for a cell names a report. */
async function reportOf(
  config: Config,
  name: string,
  { section, column, row, month }: CellFlags,
): Promise<ReportDefinition | undefined> {
  const { reports } = await examineReports([builtInReports, userReports(config.folder)]);
  const isCell = [section, column, row, month].some((flag) => flag !== undefined);
  return isCell ? (await namedReports(config, [name]))[0] : reports.get(name);
}

/** @throws UsageError without --section, and for a value of --row that is no pair */
function referenceOf({ name, sections }: ReportDefinition, flags: CellFlags): CellReference {
  const { section, column = null, row = [], month } = flags;
  if (section === undefined)
    throw new UsageError(
      `${name} is a report; name a section of it with --section: ${sections.map((one) => one.name).join(', ')}`,
    );
  const pairs = [...(month === undefined ? [] : [`month=${month}`]), ...row].map((pair) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (key === undefined || value === undefined)
      throw new UsageError(`--row ${pair}: write it as column=value`);
    return [key, value] as const;
  });
  return { section, column, row: Object.fromEntries(pairs) };
}

async function explainedCell(
  cell: CellExplanation,
  unread: readonly UnreadDays[],
  dataDir: string,
  view: Reader,
): Promise<Explained> {
  const raw = new RawRecords(dataDir);
  const posts = await Promise.all(
    cell.posts.map(async (post) => ({ ...post, sources: await raw.locate(post.sources) })),
  );
  const figures = cell.figures.map(({ name }) => cell.columns[name]);
  const counted = posts.filter((post) => post.left_out === null);
  const leftOut = posts.filter((post) => post.left_out !== null);
  const reasons = countReasons(leftOut);
  const beyond = leftOut.length - maxLeftOut;
  const columns: Column<(typeof posts)[number]>[] = [
    ['LinkedIn post', (post) => post.linkedin_post_id],
    ['Profile', ({ profile }) => profile],
    ['Published', (post) => localTime(post.published_at, view)],
    ...figures.map((figure, index): (typeof columns)[number] => [
      String(figure?.title),
      (post) => printed([post.first_amount, post.second_amount][index], figure, view),
      { isFigure: true },
    ]),
    [
      'Share',
      ({ left_out, share }) => left_out ?? (share === null ? null : `${(share * 100).toFixed(1)}%`),
    ],
    ['Link', ({ url }) => url],
    ['Record', ({ sources }) => recordsOf(sources)],
  ];
  const days = unread.map(
    (one) => `${foreignName(one.profile)} ${one.first_day} to ${one.last_day}`,
  );
  const lines = [
    `${cellName(cell, view)}: ${printed(cell.value, cell.columns[cell.column], view)}`,
    madeOf(cell, plural(counted.length, 'post'), view),
    ...(leftOut.length === 0 ? [] : [`${plural(leftOut.length, 'post')} left out: ${reasons}.`]),
    ...(days.length === 0 || cell.given.length > 0
      ? []
      : [`Not read, so posts may be missing: ${days.join(', ')}.`]),
    ...table(cell.given, givenColumns(cell, view), view),
    ...table([...counted, ...leftOut.slice(0, maxLeftOut)], columns, view),
    ...(beyond > 0
      ? ['', `${plural(beyond, 'more post')} left out; --json lists all of them.`]
      : []),
    ...hint(dataDir, posts.length > 0),
  ];
  return { json: { ...cell, posts, unread }, lines };
}

function givenColumns({ columns, column }: CellExplanation, view: Reader): Column<GivenValue>[] {
  return [
    ['Line', ({ line }) => String(line), { isFigure: true }],
    ['Profile', ({ profile }) => profile],
    ['Day or month', ({ day }) => day],
    ['Value', ({ value }) => printed(value, columns[column], view), { isFigure: true }],
  ];
}

/** The most posts that a cell leaves out and lists. */
const maxLeftOut = 20;

/** Each reason with the number of posts: `7 type not asked for, 1 emv not known`. */
function countReasons(posts: readonly { readonly left_out: string | null }[]): string {
  const counts = new Map<string, number>();
  for (const { left_out: why } of posts)
    counts.set(String(why), (counts.get(String(why)) ?? 0) + 1);
  return [...counts].map(([why, count]) => `${thousands(count)} ${why}`).join(', ');
}

/** For example `EMV · By month · Mar 2026 · EMV`. */
function cellName({ titles, row, columns, column }: CellExplanation, view: Reader): string {
  const key = Object.entries(row).map(([name, value]) => printed(value, columns[name], view));
  const names = titles.map((title) => view.formatter.say(title));
  return [...names, ...key, String(columns[column]?.title)].map(foreignName).join(' · ');
}

function madeOf(cell: CellExplanation, posts: string, view: Reader): string {
  const { made_as, figures, columns, times, whole, report, section } = cell;
  const [first, second] = figures.map(
    ({ name, sum }) => `${String(columns[name]?.title)} ${printed(sum, columns[name], view)}`,
  );
  const all = printed(whole, columns[figures[0]?.name ?? ''], view);
  const factor = times === 1 ? '' : ` × ${times}`;
  return {
    given:
      'Not read from the service: the file that jobs.yaml names in figures has these values of it.',
    post: 'The figure of one post.',
    sum: `The sum of ${posts}.`,
    share: `${first} of ${posts} ÷ ${all} of all posts of the report.`,
    ratio: `${first} ÷ ${second}${factor}, the sums of ${posts}.`,
    other: `Not a sum: ${section}.sql of the report ${report} computes it. Its row has ${posts}.`,
  }[made_as];
}

/** A value as reports print it, and money to the cent. */
function printed(
  cell: DatabaseValue | undefined,
  column: Pick<ExplainedColumn, 'format'> | undefined,
  { formatter }: Reader,
): string {
  const format = column?.format ?? 'text';
  return foreignName(formatter.format(cell ?? null, format === 'money' ? 'money_exact' : format));
}

async function explainedPost(
  session: ReportSession,
  name: string,
  dataDir: string,
  view: Reader,
): Promise<Explained> {
  const { post, metrics, ...explained } = await explainPost(session, name);
  const shown = (value: DatabaseValue | undefined, { unit }: Metric) =>
    printed(value, { format: metricFormats[unit] }, view);
  const readings = await new RawRecords(dataDir).locate(explained.readings);
  const figures = metrics
    .filter(({ metric }) => (post[metric] ?? null) !== null)
    .map((metric) => ({
      metric,
      value: post[metric.metric] ?? null,
      // EMV by prices is in no record
      source:
        metric.metric === 'emv' && post['emv_source'] !== 'api'
          ? null
          : (readings.findLast((reading) => (reading[metric.metric] ?? null) !== null) ?? null),
    }));
  const events = explained.events.map((event) => ({
    ...event,
    file: relative(rawFolder(dataDir), eventPath(dataDir, event.event_key)),
  }));
  const read = metrics.filter(({ metric }) =>
    readings.some((one) => (one[metric] ?? null) !== null),
  );
  const lines = [
    ...fieldLines(postFields(post, view), view),
    ...table(
      figures,
      [
        ['Figure', ({ metric }) => metric.title],
        ['Value', ({ metric, value }) => shown(value, metric), { isFigure: true }],
        ['Read', ({ source }) => localTime(source?.fetched_at, view)],
        [
          'Record',
          ({ metric, source }) =>
            source ? recordOf(source) : computedFrom(metric.metric, post, metrics),
        ],
      ],
      view,
    ),
    ...table(
      readings,
      [
        ['Reading', (reading) => localTime(reading.fetched_at, view)],
        ...read.map((metric): Column<(typeof readings)[number]> => [
          metric.title,
          (reading) => shown(reading[metric.metric], metric),
          { isFigure: true },
        ]),
        ['Record', recordOf],
      ],
      view,
    ),
    ...table(
      events,
      [
        ['Event', (event) => localTime(event.received_at, view)],
        ['Type', ({ type }) => type],
        ['Outcome', ({ outcome }) => outcome],
        ['Reason', ({ reason }) => reason],
        ['File', ({ file }) => file],
      ],
      view,
    ),
    ...hint(dataDir, true),
  ];
  const json = figures.map(({ metric, ...figure }) => ({ metric: metric.metric, ...figure }));
  return { json: { post, figures: json, readings, events }, lines };
}

const metricFormats: Readonly<Record<Metric['unit'], ColumnFormat>> = {
  count: 'count',
  rate: 'rate',
  money: 'money',
  seconds: 'count',
};

function postFields(post: PostExplanation['post'], view: LocalTerminal): Field[] {
  const named = (name: string, column: string): Field => ({
    name,
    text: foreignName(exact(post[column])),
  });
  const timed = (name: string, column: string): Field => ({
    name,
    text: localTime(post[column] as string | null, view),
  });
  return [
    named('LinkedIn post', 'linkedin_post_id'),
    named('Link', 'url'),
    named('Title', 'title'),
    named('Profile', 'profile'),
    timed('Published', 'published_at'),
    timed('Removed', 'removed_at'),
    named('CPM', 'cpm'),
    named('EMV from', 'emv_source'),
  ];
}

function computedFrom(
  metric: string,
  post: PostExplanation['post'],
  metrics: readonly Metric[],
): string {
  if (metric === 'emv') return partsOf(post, metrics).join(' + ');
  return metric === 'engagements' ? 'Engagement × Impressions' : nothing;
}

/** The parts of an EMV by prices that are known: `Impressions × 30 ÷ 1000`. */
function partsOf(post: PostExplanation['post'], metrics: readonly Metric[]): string[] {
  const prices = JSON.parse(String(post['prices'])) as Record<string, number>;
  return metrics
    .filter(({ price }) => price !== null && (post[`emv_${price}`] ?? null) !== null)
    .map(({ title, price, per }) => {
      return `${title} × ${exact(prices[price ?? ''])}${per === 1 ? '' : ` ÷ ${per}`}`;
    });
}

function recordsOf(sources: readonly Located[]): string {
  return [...new Set(sources.map(recordOf))].join(', ') || nothing;
}

function recordOf({ file, record, run_id, seq }: Located): string {
  return file === null
    ? `${run_id}, response ${seq}: not in this raw store`
    : `${file} [${record}]`;
}

/** Nothing for a table without rows. */
function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], view: Reader): string[] {
  return rows.length === 0 ? [] : ['', listing({ rows, columns, ifTooWide: 'blocks' }, view)];
}

function hint(dataDir: string, hasRecords: boolean): string[] {
  const folder = foreignName(rawFolder(dataDir));
  return hasRecords
    ? ['', `Files are in ${folder}; zcat FILE | jq '.[PLACE]' prints a record.`]
    : [];
}

/** With all digits, as it was computed. */
function exact(cell: DatabaseValue | undefined): string {
  return cell === null || cell === undefined ? nothing : String(cell);
}

/** JSON has integers beyond 2^53 as strings. */
function exactInteger(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
