import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { columnFormats } from '../../src/languages/number-format.ts';
import { dimensionSql } from '../../src/report/dimension-sql.ts';
import { readSharedFile, reportFiles } from '../../src/report/report-catalog.ts';
import { runCli, writeFiles } from '../support/cli.ts';
import { minimalJobs } from '../support/jobs-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'own-reports.md'), 'utf8');
const prose = page.replaceAll(/^```[^]*?^```$/gm, '');

/** The page's part below a heading, up to the next one. */
function part(heading: string): string {
  const from = prose.indexOf(`\n${heading}\n`);
  expect(from).toBeGreaterThan(-1);
  return prose.slice(from + heading.length + 2).split(/^#+ /m)[0] ?? '';
}

/** The code spans of a text. */
function codes(text: string): Set<string> {
  return new Set([...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

/** Rows of the tables of a part whose first cell is code. */
function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').slice(1, -1));
}

describe('docs/own-reports.md', () => {
  it('names every format and no other', () => {
    const said = rowsOf(part('### Formats')).flatMap(([formats = '']) => [...codes(formats)]);
    expect(said.sort()).toEqual([...columnFormats].sort());
  });

  it('names every table and view that a session creates for reports', async () => {
    const files = ['report', 'readings'].flatMap((room) =>
      readdirSync(join(root, 'sql', room)).map((file) =>
        readFileSync(join(root, 'sql', room, file), 'utf8'),
      ),
    );
    const created = /^create or replace temp (?:table|view) (report_\w+|\w+_days|\w+_windows)/gm;
    const made = [...files, dimensionSql(await readSharedFile())].flatMap((text) =>
      [...text.matchAll(created)].map(([, name = '']) => name),
    );
    const said = rowsOf(part('### What they read')).flatMap(([name = '']) => [...codes(name)]);
    // intermediate views, and a table that hides the warehouse's
    const steps = [
      'extract_windows',
      'report_candidates',
      'report_earlier_readings',
      'report_linked_posts',
      'report_moment',
      'report_found_posts',
    ];
    expect([...new Set(made)].filter((name) => !steps.includes(name)).sort()).toEqual(said.sort());
  });

  it('names every file of a report that belongs to no section', () => {
    const said = rowsOf(part('## The SQL files')).map(([name = '']) => [...codes(name)][0] ?? '');
    expect(said.filter((name) => name.startsWith('_')).sort()).toEqual([...reportFiles].sort());
  });

  it('has recipes that make a valid report together', async () => {
    const cookbook = page.split('## Cookbook\n')[1]?.split('\n### ')[0] ?? '';
    const [table = '', finding = '', parts = '', group = '', ...others] = [
      ...cookbook.matchAll(/^```sql\n([^]*?)^```$/gm),
    ].map(([, sql = '']) => sql);
    expect(others).toEqual([]);
    const [, views = '', byType = ''] = group.split(/^-- \w+\.sql\n/m);
    const folder = await temporaryFolder();
    await writeFiles(folder, {
      'jobs.yaml': minimalJobs,
      'reports/recipes/report.yaml': `title: Recipes
figure: emv
shows: [posts, emv]
sections:
  - { name: long_posts, title: Long posts, description: Long., key: [linkedin_post_id] }
  - { name: parts, title: Parts, description: Parts., key: [profile] }
  - { name: types, title: Types, description: Types., key: [type] }
  - { by: type }
`,
      'reports/recipes/long_posts.sql': table,
      'reports/recipes/long_posts.finding.sql': finding,
      'reports/recipes/parts.sql': parts,
      'reports/recipes/_views.sql': views,
      'reports/recipes/types.sql': byType,
    });
    const { code, stderr } = await runCli(['report', 'check', 'recipes'], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
  });
});
