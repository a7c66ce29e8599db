import { describe, expect, test } from 'vitest';
import { listSql, readSql } from '../../src/warehouse/sql-file.ts';

const folders = ['load', 'views', 'checks', 'history', 'readings', 'status', 'rebuild', 'lake'];
const files = (await Promise.all(folders.map(listSql))).flat();
const texts = new Map(
  await Promise.all(files.map(async (name) => [name, await readSql(name)] as const)),
);

interface Header {
  readonly grain: string;
  readonly key: string;
  readonly reads: readonly string[];
  readonly parameters: readonly string[];
}

/** A line that would say `none` may be left out. */
function readHeader(text: string): Header {
  const pattern =
    /^-- grain: (.+)\n(?:-- key: (.+)\n)?(?:-- reads: (.+)\n)?(?:-- parameters: (.+)\n)?(?!-- \w+: )/;
  const [, grain, key = 'none', reads = 'none', parameters = 'none'] = pattern.exec(text) ?? [];
  if (!grain) throw new Error('the header is not complete');
  const names = [...parameters.matchAll(/\$(\w+)/g)].map(([, name]) => String(name));
  return { grain, key, reads: reads === 'none' ? [] : reads.split(', '), parameters: names };
}

/** The statements without comments and literals. */
function codeOf(text: string): string {
  return text.replace(/--.*$/gm, '').replace(/'(?:[^']|'')*'/g, "''");
}

function namesIn(code: string, pattern: RegExp): Set<string> {
  return new Set([...code.matchAll(pattern)].map(([, name]) => String(name)));
}

/** Tables that rows come from: not those that the file makes for itself. */
function tablesRead(code: string): string[] {
  const made = namesIn(code, /(\w+) as (?:not materialized )?\(/g);
  const madeTables = namesIn(code, /create or replace temp table (\w+)/g);
  const read = namesIn(
    code,
    /(?<!distinct |delete )\b(?:from|join|using)\s+([a-z_]+(?:\.[a-z_]+)?)\b(?!\s*[(.])/g,
  );
  return [...read].filter((name) => !made.has(name) && !madeTables.has(name)).sort();
}

describe.each(files)('sql/%s', (name) => {
  const text = texts.get(name) ?? '';

  test('says its grain and key, what it reads, and its parameters', () => {
    const header = readHeader(text);
    const code = codeOf(text);
    expect([...header.parameters].sort()).toEqual([...namesIn(code, /\$([a-z_]+)/g)].sort());
    expect([...header.reads].sort()).toEqual(tablesRead(code));
  });

  test('is in lower case', () => {
    // but for what the API calls its fields
    expect(codeOf(text)).not.toMatch(/\b[A-Z]{2,}\b/);
  });

  test('asks for nothing that DuckLake has not', () => {
    expect(codeOf(text)).not.toMatch(
      /\b(primary key|foreign key|unique|create index|sequence|enum|generated always|on conflict|returning)\b/,
    );
  });

  test('merges nothing: from a source with a CTE, DuckLake 1.5.5 doubles rows beyond 2,048', () => {
    expect(codeOf(text)).not.toMatch(/\bmerge\s+into\b/);
  });
});

test.each(files.filter((name) => /^(history|status)\//.test(name)))(
  'the rows of sql/%s come in a total order',
  (name) => {
    expect(codeOf(texts.get(name) ?? '').trimEnd()).toMatch(/order by\s[^()]+;$/);
  },
);
