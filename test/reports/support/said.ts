import { createFormatter, type Cell } from '../../../src/languages/number-format.ts';
import { placeholder, readLanguage, type Language } from '../../../src/languages/phrases.ts';
import { withMetricNames } from '../../../src/report/metric-names.ts';
import { builtInReports, findReports } from '../../../src/report/report-catalog.ts';
import { resolveSetValues } from '../../../src/report/report-parameters.ts';
import { sectionsAt } from '../../../src/report/report-sections.ts';
import type { ReportSession } from '../../../src/report/report-session.ts';
import { makeReportViews, runSectionQuery } from '../../../src/report/section-query.ts';
import { fillSentence } from '../../../src/report/sentences.ts';
import { openSessionOn } from '../../report/support/open-session.ts';
import type { SmallWorld } from './small-worlds.ts';

/** A sentence in each language, and the row from which it is filled. */
export interface Said {
  readonly place: string;
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
  const say = (place: string, values: ReadonlyMap<string, Cell>) => {
    const [english, inGerman] = [session.language, german].map((language) =>
      fillSentence(values, formatterOf(session, language), place),
    );
    if (english && inGerman) said.push({ place, values, english, german: inGerman });
  };
  for (const row of [...session.unread, ...session.warnings])
    say('unread', new Map(Object.entries(row)));
  for (const definition of reports.values()) {
    const { database } = session;
    await makeReportViews(database, definition);
    const shown = sectionsAt(definition.sections, session.fittingGrain).map(({ name }) => name);
    for (const file of definition.sql.keys()) {
      const [name = '', part = ''] = file.split('.');
      const isOfSection = (part === 'finding' || part === 'notes') && shown.includes(name);
      if (!isOfSection && !/^_(?:lede|basis|coverage|cards)/.test(file)) continue;
      const params = resolveSetValues(definition, set);
      const known = said.length;
      const { columns, rows: found } = await runSectionQuery({
        database,
        definition,
        file,
        params,
      });
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

/** What is wrong with a sentence as far as it can be told from itself and its row. */
export function faultsOf(
  { place, values, english, german }: Said,
  { videos }: SmallWorld,
): string[] {
  const found = faults.flatMap(([what, pattern]) =>
    [english, german].filter((text) => pattern.test(text)).map((text) => `${what}: ${text}`),
  );
  for (const [name, format] of filledOf(values)) {
    const value = Number(values.get(name));
    if (format === 'share' && (value < 0 || value > 1)) found.push(`no share ${name}: ${english}`);
    if (format === 'money' && value !== 0 && /[€-]0(?![\d.,])/.test(english))
      found.push(`no cents ${name}: ${english}`);
    if (
      format === 'count' &&
      value !== 0 &&
      Math.abs(value) < 0.5 &&
      /(?<![\d.,])0(?![\d.,])/.test(english)
    )
      found.push(`0 ${name}: ${english}`);
    if (
      format === 'count' &&
      !/impr|fell|change|gained|amount|emv|interactions|engage|views|first|last|usual/.test(name) &&
      value < 0
    )
      found.push(`negative ${name}: ${english}`);
  }
  if (
    /(\d[\d.]*%) of impressions|of (?:the )?impressions .*led/.test(english) &&
    Number(/([\d.]+)%/.exec(english)?.[1]) > 100
  )
    found.push(`more than all: ${english}`);
  const [, part, whole] =
    /(?<![\d,.])(\d[\d,]*) of (?:your |the |the last )?(\d[\d,]*)\b/.exec(english) ?? [];
  if (part !== undefined && Number(part.replaceAll(',', '')) > Number(whole?.replaceAll(',', '')))
    found.push(`more than all: ${english}`);
  if (videos === 0 && /[1-9]\d* videos?\b|Every video|your videos?/i.test(english))
    found.push(`no video: ${english}`);
  return found.map((fault) => `${place}: ${fault}`);
}
