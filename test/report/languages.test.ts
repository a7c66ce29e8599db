import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { languageCodes, placeholder, readLanguage } from '../../src/languages/phrases.ts';
import { packageRoot } from '../../src/core/package-root.ts';
import { parseYaml } from '../../src/core/yaml-source.ts';
import { renderHtml } from '../../src/render/html/render-html.ts';
import { renderMail } from '../../src/render/mail.ts';
import { renderMarkdownSection } from '../../src/render/markdown.ts';
import { renderTerminalReport } from '../../src/render/terminal-report.ts';
import { renderWorkbook } from '../../src/render/xlsx/workbook.ts';
import { parseShared } from '../../src/report/definition-file.ts';
import type { ColumnDefinition } from '../../src/report/definition-schema.ts';
import { headsOfTwo } from '../../src/report/grouped-section.ts';
import { buildReport } from '../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import {
  type MetricName,
  readMetricNames,
  withMetricNames,
} from '../../src/report/metric-names.ts';
import { Database } from '../../src/warehouse/database.ts';
import { readSql } from '../../src/warehouse/sql-file.ts';
import { nothing, profiles, whole } from '../reports/support/golden-rows.ts';
import { openSessionOn } from './support/open-session.ts';

const reports = await findReports([builtInReports]);
const shared = parseShared(readFileSync(join(builtInReports, 'shared.yaml'), 'utf8'));
const metricNames = await readNames();

async function readNames(): Promise<MetricName[]> {
  const database = await Database.open(':memory:', 'READ_WRITE');
  await database.run(await readSql('metrics.sql'));
  const names = await readMetricNames(database);
  database.close();
  return names;
}

/** The file that uses a phrase, or `at run time`, by the phrase. */
type Phrases = Map<string, string>;

/** A language that records the phrases asked for and translates nothing. */
class AskedPhrases extends Map<string, string> {
  readonly asked: Phrases = new Map();

  override get size(): number {
    return 1;
  }

  override get(phrase: string): undefined {
    if (needsTranslation(phrase) && !/[\d#]/.test(phrase)) this.asked.set(phrase, 'at run time');
  }
}

test('there are English and German', () => {
  expect(languageCodes()).toEqual(expect.arrayContaining(['de', 'en']));
});

test('the name of a metric is translated once, as a title, and is so in every phrase', async () => {
  const { phrases } = withMetricNames(await readLanguage('de'), metricNames);
  expect(
    ['saves', 'seconds watched', 'The sum of video views fell'].map((phrase) =>
      phrases.get(phrase),
    ),
  ).toEqual(['Speicherungen', 'Wiedergabesekunden', 'Die Summe der Videoaufrufe ist gesunken']);
});

let asking: Promise<Phrases> | null = null;

describe.each(languageCodes().filter((code) => code !== 'en'))('in %s', (code) => {
  const said = sayings();

  test('every phrase of the built-in reports is translated', async () => {
    const { phrases } = withMetricNames(await readLanguage(code), metricNames);
    const asked = await (asking ??= askedAtRunTime());
    const needed = [...new Map([...asked, ...said])].filter(([phrase]) => !phrases.has(phrase));
    const remedy = `add each to src/languages/${code}.yaml, as '<phrase>': '<translation>'`;
    expect(
      needed.map(([phrase, file]) => `${locationOf(phrase, file)}: ${phrase}`),
      remedy,
    ).toEqual([]);
  });

  test('every translated phrase is still used', async () => {
    const { phrases } = await readLanguage(code);
    const asked = await (asking ??= askedAtRunTime());
    const used = new Set([...said.keys(), ...asked.keys(), ...shortLiterals(), ...kindsOfPosts()]);
    expect([...phrases.keys()].filter((phrase) => !used.has(phrase))).toEqual([]);
  });

  test('a translation has the values of its phrase, each in the same format', async () => {
    const { phrases } = await readLanguage(code);
    const differing = [...phrases].filter(
      ([phrase, translation]) =>
        valuesOf(phrase) !== valuesOf(translation) ||
        namesOf(translation).some((name) => !namesOf(phrase).includes(name)),
    );
    expect(differing).toEqual([]);
  });

  test('what stands beside a number agrees with it, where it is one and where it is not', async () => {
    const { phrases } = await readLanguage(code);
    const fixed = [...phrases].flatMap(([phrase, translation]) => [
      ...(fixedPlurals.en.test(withoutForms(phrase)) ? [phrase] : []),
      ...(fixedPlurals.de.test(withoutForms(translation)) ? [translation] : []),
    ]);
    expect(fixed, 'write {n|post|posts}, or {n|Your post has|Your # posts have}').toEqual([]);
  });

  test('the file contains each phrase once, and only texts', () => {
    const text = readFileSync(join(packageRoot, 'src', 'languages', `${code}.yaml`), 'utf8');
    const { problems, value } = parseYaml(text);
    expect(problems).toEqual([]);
    expect(Object.values(value as object).filter((each) => typeof each !== 'string')).toEqual([]);
  });
});

/** A number and a plural beside it, or later a verb or a pronoun, that stay as they are where the number is one. */
const fixedPlurals = {
  en: /\{\w+:count\}\*{0,2} (?:(?!(?:with|without|of|and|in) )[a-z]+ )?(?:posts|videos|profiles|campaigns|labels|types|impressions|engagements|interactions|views|days|ranges|records|reasons|runs|warnings|groups|threads|approvals)\b|\{\w+:count\}[^.:;]* (?:have|were|need|their|they)\b/,
  de: /\{\w+:count\}\*{0,2} (?:(?!(?:mit|ohne|und|von|die) )[a-zäöü]+ )?(?:Beiträgen?|Videos|Profilen?|Kampagnen|Labels|Typen|Impressionen|Interaktionen|Einzelinteraktionen|Aufrufen?|Tagen?|Datensätzen?|Gründen?|Läufen?|Warnungen|Gruppen|Freigaben)(?![a-zäöü])|\{\w+:count\}[^.:;]* (?:haben|wurden|waren)\b/,
};

function withoutForms(phrase: string): string {
  return phrase.replaceAll(/\{\w+\|[^{}]*\}/g, '');
}

/** The phrases that all reports use in every format, of a post with every figure beside two with none. */
async function askedAtRunTime(): Promise<Phrases> {
  const phrases = new AskedPhrases();
  const language = { code: 'de', phrases };
  const linkedin_posts = [
    whole,
    ...['Video', 'Text'].map((type) => ({ ...nothing, linkedin_post_id: type, type })),
  ];
  const session = await openSessionOn({ profiles, linkedin_posts }, { compare: 'year' });
  for (const definition of reports.values()) {
    const contents = { rowPosts: false, listRows: Infinity };
    const document = await buildReport({ ...session, language }, definition, {}, contents);
    renderHtml(document, { logo: null });
    renderTerminalReport(document, { width: 80, hasColor: false });
    document.sections.forEach((section) => renderMarkdownSection(section, document));
    renderMail([document], { notes: [], body: null, attached: ['a'], leftOut: ['b'] });
    await renderWorkbook(document);
  }
  return phrases.asked;
}

/** The file and the line on which the phrase stands, however its text is broken into lines. */
function locationOf(phrase: string, file: string): string {
  const path = join(packageRoot, file);
  if (!existsSync(path)) return file;
  const words = phrase
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "'+"));
  const found = readFileSync(path, 'utf8');
  const at = found.search(RegExp(words.join('\\s+')));
  return at < 0 ? file : `${file}:${found.slice(0, at).split('\n').length}`;
}

/** True for a phrase of only placeholders and punctuation, which is the same in every language. */
function needsTranslation(phrase: string): boolean {
  return /\p{L}/u.test(phrase.replace(/\{\w+:\w+\}|\{metric\}/g, ''));
}

function valuesOf(phrase: string): string {
  const written = [...phrase.matchAll(placeholder)].flatMap(([text, , format]) =>
    format ? [text] : [],
  );
  return [...written, ...(phrase.match(/\{metric\}/g) ?? [])].sort().join(' ');
}

function namesOf(phrase: string): string[] {
  return [...phrase.matchAll(placeholder)].map(([, name = '']) => name);
}

/** Every text of the definitions, every sentence of the SQL, and every phrase in the code. */
function sayings(): Phrases {
  const all: Phrases = new Map();
  const add = (file: string, phrases: readonly (string | null | undefined)[]) => {
    for (const phrase of phrases)
      if (phrase && needsTranslation(phrase) && !all.has(phrase)) all.set(phrase, file);
  };
  const columns = (own: Readonly<Record<string, ColumnDefinition>>) =>
    Object.values(own).flatMap(({ title, null_note: note, words }) => [
      title,
      note,
      ...(Array.isArray(words) ? words : []),
    ]);
  add(
    'sql/metrics.sql',
    metricNames.map(({ title }) => title),
  );
  add('reports/shared.yaml', columns(shared.columns));
  add(
    'reports/shared.yaml',
    shared.definitions.flatMap(({ term, text }) => [term, text]),
  );
  for (const { title, word, description, noun, total, sentence } of Object.values(
    shared.dimensions,
  ))
    add('reports/shared.yaml', [title, word, description, noun, total, sentence]);
  add('src/report/grouped-section.ts', Object.values(headsOfTwo));
  for (const { title, sum, basis, sentence, below } of Object.values(shared.figures))
    add('reports/shared.yaml', [title, sum, basis, sentence, below]);
  for (const { name, title, description, sections, definitions, ...report } of reports.values()) {
    const file = `reports/${name}/report.yaml`;
    add(file, [title, description, ...columns(report.columns)]);
    add(
      file,
      definitions.flatMap(({ term, text }) => [term, text]),
    );
    for (const section of sections) {
      add(file, [section.title, section.description]);
      add(file, [section.empty, section.total, section.figure]);
      add(file, [section.basis, ...section.notes, ...columns(section.columns)]);
    }
  }
  for (const [file, text] of sqlTexts()) add(file, sqlLiterals(text).filter(isSentence));
  for (const file of sources()) add(relative(packageRoot, file), saidIn(file));
  return all;
}

function sqlTexts(): [string, string][] {
  const folder = join(packageRoot, 'sql', 'report');
  const views = readdirSync(folder).map((file): [string, string] => [
    `sql/report/${file}`,
    readFileSync(join(folder, file), 'utf8'),
  ]);
  const own = [...reports.values()].flatMap(({ name, sql, made }) =>
    [...sql]
      .filter(([file]) => !made.has(file))
      .map(([file, text]): [string, string] => [`reports/${name}/${file}`, text]),
  );
  return [...views, ...own];
}

function sqlLiterals(sql: string): string[] {
  const tokens = sql.match(/'(?:[^']|'')*'|--.*/g) ?? [];
  return tokens
    .filter((token) => token.startsWith("'"))
    .map((token) => token.slice(1, -1).replaceAll("''", "'"));
}

/** Names of groups, formats, and what is put together with a number or a name, which report.yaml lists under `words`. */
const noSentences = new Set([
  'campaign posts',
  'campaign profile',
  '%u %H',
  ' GET /analytics/linkedin/',
  'not enough posts (',
  'not enough posts without it (',
  'not enough other posts (',
  'the others (',
]);

function isSentence(literal: string): boolean {
  const isCommand = literal.startsWith('postledger ');
  return /\{|[A-Za-z(] \S|^, /.test(literal) && !isCommand && !noSentences.has(literal);
}

/** Single words that SQL has for phrases, and the names of its own things. */
function shortLiterals(): string[] {
  return sqlTexts().flatMap(([, text]) => sqlLiterals(text));
}

/** `Image posts`: made of the words that the column `type` has. */
function kindsOfPosts(): string[] {
  const types = shared.columns['type']?.words;
  return Array.isArray(types)
    ? types.map((type) => (type.endsWith('ost') ? `${type}s` : `${type} posts`))
    : [];
}

function sources(): string[] {
  return ['core', 'deliver', 'languages', 'pipeline', 'report', 'render', 'review'].flatMap(
    (room) => {
      const folder = join(packageRoot, 'src', room);
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      return files.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file));
    },
  );
}

/** The texts that `say`, `sentence` and `translate` are called with; one that is put together cannot be translated. */
function saidIn(file: string): string[] {
  const found: string[] = [];
  const texts = (node: ts.Expression): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node)) throw new Error(`${file} puts ${node.getText()} together`);
    if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(texts);
  };
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      /(?:^|\.)(?:say|sentence|translate)$/.test(node.expression.getText())
    )
      node.arguments.slice(0, 1).forEach(texts);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return found;
}
