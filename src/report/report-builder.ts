import { group } from 'd3-array';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Formatter, createFormatter } from '../languages/number-format.ts';
import type { Language } from '../languages/phrases.ts';
import { listSql, readSql } from '../warehouse/sql-file.ts';
import { dimensionSql } from './dimension-sql.ts';
import { type ReportDefinition, readSharedFile } from './report-catalog.ts';
import { type OpenReport, withReport } from './open-report.ts';
import { type FigurePair, type PrintedFigures, precisionOf } from './precision.ts';
import {
  type FigureReference,
  type ReportCard,
  type ReportDocument,
  type ReportSection,
  emptyWords,
} from './report-document.ts';
import { changedValues, type ReportParameters } from './report-parameters.ts';
import { scopeNames } from './report-scope.ts';
import {
  type Build,
  type DocumentContents,
  buildSections,
  filled,
  readTables,
  sectionsAt,
  sentences,
} from './report-sections.ts';
import type { ReportSession } from './report-session.ts';
import { keepSentences, readCardFigures, readCards, readSentenceRows } from './sentences.ts';

const wholeContents: DocumentContents = { rowPosts: true, listRows: Infinity };

/**
 * Runs a report's SQL and builds the document.
 * @param set the values of the report's own parameters, from `--set`
 * @throws ReportDefinitionError, ReportQueryError, UsageError
 */
export async function buildReport(
  session: ReportSession,
  definition: ReportDefinition,
  set: Readonly<Record<string, string>> = {},
  contents = wholeContents,
): Promise<ReportDocument> {
  return withReport(session, definition, set, (report) => buildDocument(report, contents));
}

/** Builds the document of a report whose tables are made. */
export async function buildDocument(
  report: OpenReport,
  contents = wholeContents,
): Promise<ReportDocument> {
  const { session, definition } = report;
  const started = { ...(await startBuild(report)), contents };
  const precision = contents.precision ?? precisionOf(await readPrinted(started));
  const options = { ...session.config, language: started.language, precision };
  const build = { ...started, formatter: createFormatter(options) };
  const { say } = build.formatter;
  const { timezone, currency, locale, brand } = session.config;
  const { from, to, removed } = session.parameters;
  const isOnRemoved = definition.covers === 'removed posts';
  const isWhole = contents.sections !== false;
  for (const { name, layout, columns } of definition.sections) {
    const query = layout === 'sentences' ? build.query(`${name}.sql`) : null;
    if (query !== null) await keepSentences(query, Object.keys(columns), build.formatter);
  }
  const period = { from, to };
  const covers = removed === 'only' ? 'removed posts' : definition.covers;
  const headline = unreadSentence(build, 'headline');
  const beginning = unreadSentence(build, 'beginning');
  const { lede, isLedeAlone } = await ledeOf(
    build,
    { headline, beginning },
    emptyWords({ period, covers, headline }, build.formatter),
  );
  const declared = sectionsAt(definition.sections, session);
  const sections = isWhole ? await buildSections(build, declared) : [];
  const keyFigures = isWhole ? await cards(build, sections) : [];
  const prices = await pricesInWords(build);
  const isOnEmv = definition.definitions.some(({ term }) => term === 'EMV');
  const selection = selectionOf(session, changedValues(definition, report.params), build.formatter);
  return {
    name: definition.name,
    title: titleOf(say(definition.title), selection),
    description: say(definition.description),
    covers,
    period,
    unreadDays: session.unreadDays,
    previousPeriod: definition.compares ? session.previousPeriod : null,
    isAtEqualAge: definition.compares && session.isAtEqualAge,
    timezone,
    currency,
    locale,
    language: build.language,
    brand,
    precision,
    profiles: await profileNames(session, isOnRemoved),
    selection,
    filters: [
      ...otherFilters(session, build.formatter),
      ...(isOnRemoved ? [] : describeRemoved(session.parameters, build.formatter)),
      ...(definition.compares ? describeComparison(session, build.formatter) : []),
    ],
    dataAsOf: session.dataAsOf,
    stamp: { run: session.newestRun, sqlHash: await sqlHash(definition) },
    lede,
    ...(isLedeAlone && { isLedeAlone }),
    ...(!definition.shows_cards && { showsCards: false }),
    cards: keyFigures,
    terms: await termsOf(build, keyFigures, prices),
    headline,
    ...(beginning !== null && { beginning }),
    comment: null,
    notes: session.parameters.notes,
    coverage: await sentences(build, '_coverage.sql'),
    caveats: await caveatsOf(build),
    sections,
    whatIf: definition.what_if,
    ...(definition.what_if.length > 0 && isWhole && { prices: await offeredPrices(build) }),
    definitions: definitionsOf(
      [
        ...definition.definitions.map(({ term, text }) => ({ term: say(term), text: say(text) })),
        ...(isOnEmv && prices.length > 0
          ? [{ term: say('Prices'), text: `${prices.join('. ')}.` }]
          : []),
      ],
      [lede ?? '', ...keyFigures.map(({ label }) => label), ...prices.map(() => say('Prices'))],
      sections,
    ),
  };
}

/** Returns the definitions of what the document has, or what these name. */
function definitionsOf(
  all: ReportDocument['definitions'],
  texts: readonly string[],
  sections: readonly ReportSection[],
): ReportDocument['definitions'] {
  if (sections.length === 0) return all;
  const shown = sections.filter(({ rows }) => rows.length > 0);
  // the words of posts define nothing
  const tables = shown.filter(({ layout }) => layout !== 'data');
  const columns = tables.flatMap((section) =>
    section.columns.map(({ title, format }, at) => ({
      isOfWords: section.layout !== 'posts' && format === 'text',
      title,
      cells: section.rows.map((row) => row[at] ?? null),
    })),
  );
  const said = [
    ...texts,
    ...shown.flatMap(({ title, description, finding, basis, notes }) => [
      title,
      description,
      finding ?? '',
      basis ?? '',
      ...notes,
    ]),
    ...columns.flatMap(({ title, cells }) => (cells.some((cell) => cell !== null) ? title : [])),
    ...columns.flatMap(({ cells, isOfWords }) =>
      isOfWords ? cells.filter((cell) => typeof cell === 'string') : [],
    ),
    // a dash stands for what is not known
    ...(columns.some(({ cells }) => cells.includes(null)) ? ['–'] : []),
  ].map((text) => text.toLowerCase());
  const isSaid = ({ term }: { readonly term: string }) =>
    term.split(', ').some((word) => said.some((text) => text.includes(word.toLowerCase())));
  return all.filter(isSaid);
}

async function startBuild(report: OpenReport): Promise<Omit<Build, 'contents'>> {
  const { session, definition } = report;
  const language = await languageOf(session, definition);
  return {
    report,
    session,
    definition,
    language,
    formatter: createFormatter({ ...session.config, language }),
    query: (file) => (definition.sql.has(file) ? { ...report, file } : null),
  };
}

/** Reads the figures that a report prints beside each other, which decide on the decimals of its document. */
export function readPrintedFigures(
  session: ReportSession,
  definition: ReportDefinition,
  set: Readonly<Record<string, string>>,
): Promise<PrintedFigures[]> {
  return withReport(session, definition, set, async (report) =>
    readPrinted(await startBuild(report)),
  );
}

async function readPrinted(build: Omit<Build, 'contents'>): Promise<PrintedFigures[]> {
  const { session, definition } = build;
  const cards = build.query('_cards.sql');
  const printed = cards === null ? [] : await readCardFigures(cards);
  const sums = printed.flatMap(({ format, value, previous, target }) =>
    format === 'money' ? [value, previous, target].filter((figure) => figure !== null) : [],
  );
  const pairs = printed.flatMap(({ format, value: now, previous, target }): FigurePair[] => [
    ...(now === null || previous === null
      ? []
      : [{ format, now, of: previous, says: 'change' as const }]),
    ...(now === null || target === null
      ? []
      : [{ format, now, of: target, says: 'part' as const }]),
  ]);
  const isCompared = definition.compares && session.previousPeriod !== null;
  const tables = await readTables(build, isCompared || session.config.sent.length > 0);
  return [{ pairs, sums }, ...tables];
}

/**
 * Returns the report's language. Phrases in the report's own languages/ folder take precedence over the
 * program's.
 */
async function languageOf(
  { language }: ReportSession,
  { folder }: ReportDefinition,
): Promise<Language> {
  const path = join(folder, 'languages', `${language.code}.yaml`);
  if (!existsSync(path)) return language;
  const { parsePhrases } = await import('./definition-file.ts');
  const own = Object.entries(parsePhrases(await readFile(path, 'utf8'), path));
  return { ...language, phrases: new Map([...language.phrases, ...own]) };
}

/**
 * Returns the first sentence of the report, which is `empty` only where its query has no row. If days of the period were
 * not read, it says so first, and where the period begins later than asked, from which day it was read. Its figures are
 * then marked as those so far, and likewise in the part so far of a month, quarter or year.
 */
async function ledeOf(
  build: Build,
  { headline, beginning }: { readonly headline: string | null; readonly beginning: string | null },
  empty: string,
): Promise<{ readonly lede: string | null; readonly isLedeAlone: boolean }> {
  const { session, formatter } = build;
  const query = build.query('_lede.sql');
  const { say } = formatter;
  const first =
    headline ?? (beginning === null ? null : say('Complete {beginning:text}.', { beginning }));
  if (query === null || !session.isBegun) return { lede: first, isLedeAlone: false };
  const rows = await readSentenceRows(query, formatter);
  const isLedeAlone = rows.some(({ values }) => values.get('is_alone') === true);
  const isSoFar =
    !isLedeAlone && (headline !== null || session.parameters.soFarMonths !== undefined);
  const said = rows.flatMap(({ sentence }) => sentence ?? []).join(' ') || null;
  const about = () => {
    if (beginning === null) return isSoFar ? say('So far:') : null;
    return isSoFar
      ? say('So far, {beginning:text}:', { beginning })
      : say('Complete {beginning:text}:', { beginning });
  };
  const parts =
    rows.length === 0 || said === null
      ? [first, rows.length === 0 ? empty : null]
      : [headline, about(), said];
  return { lede: parts.filter((part) => part !== null).join(' ') || null, isLedeAlone };
}

/** Returns the sentence about days that were not read, in the report's language. Null if there is none. */
function unreadSentence({ session, formatter }: Build, kind: string): string | null {
  const row = session.unread.find((sentence) => sentence['kind'] === kind);
  return row ? filled(row, formatter) : null;
}

async function caveatsOf({ session, definition, formatter }: Build): Promise<string[]> {
  const unread = session.unread.filter(
    ({ kind }) => kind === 'coverage' || (kind === 'comparison' && definition.compares),
  );
  return [...unread, ...(await session.warnings())].flatMap((row) => filled(row, formatter) ?? []);
}

async function cards(build: Build, sections: readonly ReportSection[]): Promise<ReportCard[]> {
  const query = build.query('_cards.sql');
  if (query === null) return [];
  const given = await readCards(query, build.formatter);
  return given.map((card) => ({
    ...card,
    value: exactFigure(card.value, card.cell, sections),
    previous: exactFigure(card.previous, card.previousCell, sections),
  }));
}

/** Returns the figure of a section that a card names. The SQL of cards has all figures as doubles, which round long integers. */
function exactFigure(
  given: ReportCard['value'],
  reference: FigureReference | null,
  sections: readonly ReportSection[],
): ReportCard['value'] {
  const section = sections.find(
    ({ name, rows }) => name === reference?.section && rows.length === 1,
  );
  const at = section?.columns.findIndex(({ name }) => name === reference?.column) ?? -1;
  const cell = section?.rows[0]?.[at];
  return given !== null && typeof cell === 'bigint' ? cell : given;
}

/** Says what those of the key figures are that need it. */
async function termsOf(
  { session, formatter }: Build,
  keyFigures: readonly ReportCard[],
  prices: readonly string[],
): Promise<NonNullable<ReportDocument['terms']>> {
  const known = new Set(keyFigures.flatMap(({ figure, value }) => (value === null ? [] : figure)));
  const rows = await session.tables.query('report/terms');
  const whose = session.config.brand?.name ?? null;
  return rows.flatMap((row) => {
    const figure = String(row['figure']);
    if (!known.has(figure)) return [];
    const text = row['text'] === null ? null : filled({ ...row, whose }, formatter);
    const texts = [...(text === null ? [] : [text]), ...(figure === 'emv' ? prices : [])];
    return texts.length === 0 ? [] : [{ figure, text: texts.join(' · ') }];
  });
}

/** A row of sql/report/price_lists.sql. */
interface ListedPrice {
  /** Empty for a CPM. */
  readonly list: string;
  readonly first_day: string | null;
  /** The noun of a metric. */
  readonly metric: string;
  readonly price: number;
  readonly per: number;
  readonly edition: number | bigint;
}

/** Says at which prices the posts of the report and of the comparison period are priced, a sentence for each edition of a list. */
async function pricesInWords({ session, formatter }: Build): Promise<string[]> {
  if (session.listedPrices.length === 0) return [];
  const { say } = formatter;
  const rows = await session.tables.query<ListedPrice>('report/price_lists');
  return [...group(rows, ({ edition }) => Number(edition)).values()].map((edition) => {
    const [{ list, first_day: from } = { list: '', first_day: null }] = edition;
    const sum = edition
      .map(({ metric, price, per }) =>
        say(
          per === 1
            ? '{metric:phrase} × {price:money_exact}'
            : '{metric:phrase} ÷ {per:count} × {price:money_exact}',
          { metric, price, per },
        ),
      )
      .join(' + ');
    if (list === '') return say('EMV by a CPM: {sum:text}', { sum });
    return from === null
      ? say('EMV by the price list {list:text}: {sum:text}', { list, sum })
      : say('EMV by the price list {list:text} for posts from {from:date}: {sum:text}', {
          ...{ list, sum, from },
        });
  });
}

/** A row of sql/report/what_if.sql. */
interface PriceRow {
  readonly is_current: boolean;
  readonly metric: string;
  readonly title: string;
  readonly per: number;
  readonly price: number;
  readonly counted: number | null;
  readonly emv: number | null;
}

/** Reads the prices that the workbook offers to change, and the sums of both periods that they price. */
async function offeredPrices({
  session,
  formatter: { say },
}: Build): Promise<NonNullable<ReportDocument['prices']>> {
  const rows = await session.tables.query<PriceRow>('report/what_if');
  const periods = [...group(rows, (row) => row.is_current)].map(([isCurrent, sums]) => ({
    label: say(isCurrent ? 'This period' : 'The period before'),
    counts: sums.map(({ counted }) => counted),
    emv: sums[0]?.emv ?? null,
  }));
  return {
    cells: rows
      .filter((row) => row.is_current)
      .map(({ metric, title, per, price }) => {
        return { metric, title: say(title), per, price };
      }),
    periods: periods.length > 1 ? periods : [],
  };
}

async function profileNames({ tables }: ReportSession, coversRemoved: boolean): Promise<string[]> {
  const params = { covers_removed: coversRemoved };
  const rows = await tables.query<{ name: string }>('report/profile_names', params);
  return rows.map(({ name }) => name);
}

/** The longest selection that stands whole in a title, in characters. */
const maxSelection = 150;

/** The title with what tells the report from the whole one, so that two in one mail have names of their own. */
function titleOf(title: string, selection: readonly string[]): string {
  if (selection.length === 0) return title;
  const characters = Array.from(selection.join(', '));
  const text = characters.slice(0, maxSelection).join('');
  return `${title} (${characters.length > maxSelection ? `${text}…` : text})`;
}

function selectionOf(
  session: ReportSession,
  set: Readonly<Record<string, unknown>>,
  formatter: Formatter,
): string[] {
  const { campaigns, labels, types, kinds, cpm, prices } = session.parameters;
  const { say } = formatter;
  return [
    ...alternatives(say('campaign'), campaigns, formatter),
    ...alternatives(say('label'), labels, formatter),
    ...alternatives(
      say('type'),
      types.map((type) => say(type)),
      formatter,
    ),
    ...alternatives(
      say('kind'),
      kinds.map((kind) => say(kind)),
      formatter,
    ),
    ...(cpm === null ? [] : [`CPM: ${formatter.format(cpm, 'money_exact')}`]),
    ...(prices === null || prices.name === session.config.clientPrices
      ? []
      : [`${say('Prices')}: ${prices.name}`]),
    ...Object.entries(set).map(([name, value]) => `${name}: ${String(value)}`),
  ];
}

function otherFilters(session: ReportSession, formatter: Formatter): string[] {
  const { excluded, asOf } = session.parameters;
  const { workspaces, profiles } = namedScope(session);
  const { say } = formatter;
  return [
    ...alternatives(say('workspace'), workspaces, formatter),
    ...alternatives(say('profile'), profiles, formatter),
    ...(excluded.length === 0 ? [] : [`${say('without')}: ${excluded.join(', ')}`]),
    ...(asOf === null ? [] : [`${say('as of')}: ${formatter.format(asOf, 'date')}`]),
  ];
}

function alternatives(name: string, values: readonly string[], { say }: Formatter): string[] {
  return values.length === 0 ? [] : [`${name}: ${values.join(` ${say('or')} `)}`];
}

/** Returns the workspaces and profiles that narrow the report. A client's report on all its profiles has none. */
function namedScope({ config, parameters, scope }: ReportSession) {
  const { workspaces, profiles, scope: allowed } = parameters;
  const isWhole = allowed?.length === scope.profiles.length;
  if (config.isForClient && isWhole) return { workspaces: [], profiles: [] };
  const isOfJob = allowed !== null && !scope.isEverything;
  return { workspaces, profiles: isOfJob ? scopeNames(scope) : profiles };
}

/** Describes the comparison unless it is the usual one with the previous period. */
function describeComparison(
  { previousPeriod, parameters }: ReportSession,
  { say }: Formatter,
): string[] {
  return previousPeriod !== null && parameters.compare === 'year'
    ? [say('compared with the year before')]
    : [];
}

function describeRemoved({ removed }: ReportParameters, { say }: Formatter): string[] {
  if (removed === 'exclude') return [];
  return [say(removed === 'only' ? 'removed posts only' : 'removed posts included')];
}

const hashDigits = 12;

/** The texts of the views that every report reads. They belong to the program, so they are read once. */
let sharedTexts: Promise<ReadonlyMap<string, string>> | null = null;

/**
 * Returns a hash that is equal for reports made by the same report.yaml and SQL: the first digits of a
 * SHA-256 over these files and the views that every report reads. Line endings and the location of the files
 * do not matter.
 */
export async function sqlHash({ yaml, sql }: ReportDefinition): Promise<string> {
  sharedTexts ??= readShared();
  const own = [['report.yaml', yaml] as const, ...sql];
  const shared = [...(await sharedTexts)].map(([name, text]) => [`sql/${name}`, text] as const);
  const hash = createHash('sha256');
  for (const [name, text] of [...own, ...shared].sort(byName))
    hash.update(JSON.stringify([name, text.replaceAll('\r\n', '\n')]));
  return hash.digest('hex').slice(0, hashDigits);
}

async function readShared(): Promise<ReadonlyMap<string, string>> {
  const names = [
    'metrics.sql',
    ...(await listSql('report')),
    ...(await listSql('views')),
    ...(await listSql('readings')),
  ];
  const texts = await Promise.all(names.map(readSql));
  const files = names.map((name, index) => [name, texts[index] ?? ''] as const);
  return new Map([...files, ['dimensions', dimensionSql(await readSharedFile())]]);
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}
