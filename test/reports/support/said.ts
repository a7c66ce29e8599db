import { createFormatter, type Cell } from '../../../src/languages/number-format.ts';
import { placeholder, readLanguage, type Language } from '../../../src/languages/phrases.ts';
import { withMetricNames } from '../../../src/report/metric-names.ts';
import { withReport } from '../../../src/report/open-report.ts';
import { builtInReports, findReports } from '../../../src/report/report-catalog.ts';
import { sectionsAt } from '../../../src/report/report-sections.ts';
import type { ReportSession } from '../../../src/report/report-session.ts';
import { runSectionQuery } from '../../../src/report/section-query.ts';
import { fillSentence } from '../../../src/report/sentences.ts';
import { openSessionOn } from '../../report/support/open-session.ts';
import type { SmallWorld } from './small-worlds.ts';

/** A sentence in each language, and the row from which it is filled. */
export interface Said {
  readonly source: string;
  readonly values: ReadonlyMap<string, Cell>;
  readonly english: string;
  readonly german: string;
}

const reports = await findReports([builtInReports]);
const set = { minimum_posts: '1', minimum_impressions: '1' };

/** All that the reports say of a world: ledes, findings, notes, bases, coverage, cards, and what was not read. */
export async function saidOf({ rows, parameters, config }: SmallWorld): Promise<Said[]> {
  const session = await openSessionOn(rows, parameters, config);
  const german = withMetricNames(await readLanguage('de'), session.metrics);
  const said: Said[] = [];
  const say = (source: string, values: ReadonlyMap<string, Cell>) => {
    const [english, inGerman] = [session.language, german].map((language) =>
      fillSentence(values, formatterOf(session, language), source),
    );
    if (english && inGerman) said.push({ source, values, english, german: inGerman });
  };
  for (const row of [...session.unread, ...(await session.warnings())])
    say('unread', new Map(Object.entries(row)));
  for (const definition of reports.values()) {
    await withReport(session, definition, set, async (report) => {
      const shown = sectionsAt(definition.sections, session).map(({ name }) => name);
      for (const file of definition.sql.keys()) {
        const [name = '', part = ''] = file.split('.');
        const isOfSection = (part === 'finding' || part === 'notes') && shown.includes(name);
        if (!isOfSection && !/^_(?:lede|basis|coverage|cards)/.test(file)) continue;
        const known = said.length;
        const { columns, rows: found } = await runSectionQuery({ ...report, file });
        for (const row of found) {
          const values = new Map(columns.map((column, index) => [column.name, row[index] ?? null]));
          for (const text of name === '_cards' ? ['label', 'note', 'basis'] : ['text'])
            say(
              `${definition.name}/${file}`,
              new Map([...values, ['text', values.get(text) ?? null]]),
            );
        }
        if (name === '_lede' && found.length > 0 && said.length === known)
          throw new Error(`${definition.name} has nothing to say first`);
      }
    });
  }
  return said;
}

function formatterOf({ config }: ReportSession, language: Language) {
  return createFormatter({
    ...config,
    locale: language.code === 'de' ? 'de-DE' : 'en-GB',
    language,
  });
}

/** The placeholders that a sentence fills in, with their formats. */
function filledOf(
  values: ReadonlyMap<string, Cell>,
  text = values.get('text'),
): [string, string][] {
  return [...String(text ?? '').matchAll(placeholder)].flatMap(([, name = '', format = '']) =>
    format === 'phrase'
      ? filledOf(values, values.get(name) ?? null)
      : format
        ? [[name, format]]
        : [],
  );
}

const faults: readonly (readonly [string, RegExp])[] = [
  [
    'one of many',
    /(?<![\d,.–-])1 (?:(?!with|of)[a-z]+ )?(?:posts|videos|profiles|campaigns|labels|types|impressions|engagements|interactions|views|days|ranges|records|reasons|runs|warnings|groups|threads|approvals)\b/,
  ],
  [
    'of the 1',
    /\b(?:[Nn]one|[Aa]ll|Each|Half) of (?:the|your) 1\b|\b(?:All|Every|the last|The last|the|your|Your|other) 1 [a-z]|\b1 of the 1\b|^1 \w+ is [^.]*\b1 of them\b/,
  ],
  ['one that are', /(?<![\d,.])1 (?:of (?:your )?\d[\d,]* \w+ |\w+ )(?:have|were|need|lack)\b/],
  [
    'eins von vielen',
    /(?<![\d,.–-])1 (?:(?!ohne|mit)[a-zäöü]+ )?(?:Beiträgen?|Profilen?|Kampagnen|Labels|Typen|Impressionen|Interaktionen|Einzelinteraktionen|Aufrufen?|Tagen?|Läufen?|Datensätzen?|Warnungen|Gruppen|Freigaben|Videos)(?![a-zäöü])/,
  ],
  [
    'eins, das sind',
    /(?<![\d,.])1 (?:von \d+ )?[A-Z]\w+ (?:haben|sind|wurden)\b|Keiner der 1\b|[Dd]ie 1\b|[Ii]hre 1\b|Alle 1\b/,
  ],
  ['from one to the same', /\b([\d.,€%]+|\d+ \w+ \d{4}) (?:to|bis) \1(?![\d.,])/],
  ['nothing', /\bNaN\b|undefined|null|Infinity|∞|[{}]/],
];

/** What is wrong with a sentence as far as it can be told from itself, its row and its world. */
export function faultsOf(said: Said, world: SmallWorld): string[] {
  const { source, values, english, german } = said;
  const found = [
    ...faults.flatMap(([what, pattern]) =>
      [english, german].some((text) => pattern.test(text)) ? [what] : [],
    ),
    ...filledOf(values).flatMap(
      ([name, format]) => valueFault(values.get(name) ?? null, name, format, said, world) ?? [],
    ),
    ...manyMore(english, world),
  ];
  return found.map((fault) => `${source}: ${fault}: ${english} | ${german}`);
}

/** A figure that may be below 0. */
const signed = /impr|fell|late|gained|amount|emv|interactions|engage|views|first|last|usual|after/;

function valueFault(
  cell: Cell,
  name: string,
  format: string,
  { english }: Said,
  { days, names }: SmallWorld,
): string | null {
  const value = Number(cell);
  const isLost = value !== 0 && Math.abs(value) < 10 && /(?<![\d.,])0(?![\d.,])/.test(english);
  if (
    format === 'share' &&
    (value < 0 || value > 1) &&
    !/ more than | less than | rose by |target/.test(english)
  )
    return `no share ${name}`;
  if (format === 'money' && isLost) return `no cents ${name}`;
  if (format === 'count' && isLost && value < 0.5) return `0 ${name}`;
  if (format === 'count' && value < 0 && !signed.test(name)) return `negative ${name}`;
  if (format === 'date' && !days.has(String(cell))) return `no such day ${name}`;
  const texts = format === 'text' ? String(cell).split(', ') : [];
  return texts.every((text) => names.has(text)) ? null : `no such name ${name}`;
}

/** Shares of more than all, parts larger than their whole, and more things than there are. */
function manyMore(english: string, { things }: SmallWorld): string[] {
  const number = (text = '') => Number(text.replaceAll(',', ''));
  const [, share] = /([\d.]+)%\*{0,2} of (?:the )?impressions .*led/.exec(english) ?? [];
  const [, part, whole] =
    /(?<![\d,.])(\d[\d,]*) of (?:your |the |the last )?(\d[\d,]*)\b/.exec(english) ?? [];
  const counted = [
    ...english.matchAll(
      /(?<![\d,.])(\d[\d,]*) (?:removed |synced )?(post|video|profile|campaign|label)s?\b/g,
    ),
  ];
  return [
    ...(number(share) > 100 || number(part) > number(whole) ? ['more than all'] : []),
    ...counted.flatMap(([text, n, thing = '']) =>
      number(n) > (things[thing] ?? 0) ? [`not so many: ${text}`] : [],
    ),
    ...(things['video'] === 0 && /Every video|your videos?/i.test(english) ? ['no video'] : []),
  ];
}
