import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderHtml } from '../../../src/render/html/render-html.ts';
import { renderJson } from '../../../src/render/json.ts';
import { writeWorkbook } from '../../../src/render/xlsx/workbook.ts';
import { checkReport, openCheck } from '../../../src/report/report-check.ts';
import { parseDefinition } from '../../../src/report/definition-file.ts';
import { buildReport } from '../../../src/report/report-builder.ts';
import { builtInReports, listReportNames, readReport } from '../../../src/report/report-catalog.ts';
import { ReportDefinitionError, ReportQueryError } from '../../../src/report/report-errors.ts';
import { allPosts } from '../../../src/report/report-parameters.ts';
import { openReportSession } from '../../../src/report/report-session.ts';
import { generatedRows, generatePosts } from '../../report/support/generated-rows.ts';
import { smallReport } from '../../report/support/report-folder.ts';
import { makeWarehouse, reportConfig } from '../../report/support/report-warehouse.ts';
import { assertHolds, fuzzTimeoutMs } from '../../support/fuzz.ts';
import { asBytes, mutated } from '../../support/mutated-text.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const yamlFragment = fc.oneof(
  fc.constantFrom(
    ...[
      '&a ',
      '*a',
      '<<: *a',
      '!!set ',
      '? ',
      '- ',
      ': ',
      '\n---\n',
      '|\n',
      '"',
      '{',
      '}',
      '[',
      ']',
      '#',
      '\t',
      '\0',
    ],
    ...[
      '\n  ',
      '\n    ',
      'null',
      '~',
      '1',
      'true',
      'posts',
      'figures',
      'name: posts',
      'chart: {}',
      'total: All',
    ],
    ...[
      'kind: bars',
      'format: percent',
      'key: []',
      'sections: []',
      'default: 1e400',
      '__proto__: 1',
      '['.repeat(300),
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const sqlFragment = fc.oneof(
  fc.constantFrom(
    ...[
      '$',
      '$least',
      "'",
      '"',
      '--',
      '/*',
      '*/',
      ';',
      '; select 1',
      '(',
      ')',
      ',',
      '::',
      '::integer',
      '::date',
      '$$',
      '\0',
    ],
    ...[
      'null',
      "''",
      '{',
      '{emv}',
      '{emv:money}',
      '{x:count}',
      '1/0',
      'select ',
      ' from ',
      ' as text',
      'union all ',
      '*',
    ],
    ...[
      '1e400',
      '9223372036854775808',
      "date 'x'",
      'report_posts',
      'count(*)',
      "e'\\'",
      'error(1)',
      '[]',
      'order by all ',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

test(
  'a report.yaml with anything gone, doubled or put in is read, or its faults are told with their lines',
  async () => {
    const names = await listReportNames([builtInReports]);
    const texts = await Promise.all(
      names.map((name) => readFile(join(builtInReports, name, 'report.yaml'), 'utf8')),
    );
    await assertHolds(
      fc.asyncProperty(
        mutated([...texts, smallReport['report.yaml']], yamlFragment),
        async (text) => {
          try {
            parseDefinition(text, 'report.yaml');
          } catch (error) {
            expect(error).toBeInstanceOf(ReportDefinitionError);
            for (const { path, line, message } of (error as ReportDefinitionError).faults) {
              expect(path).toBe('report.yaml');
              if (!message.includes('stands twice')) expect(line).toBeGreaterThan(0);
            }
          }
          return Promise.resolve();
        },
      ),
      200,
    );
  },
  fuzzTimeoutMs,
);

/** A report's folder in which one file is another, by name. */
interface Changed {
  readonly report: string;
  readonly file: string;
  readonly bytes: Uint8Array;
}

async function changedFiles(reports: readonly string[]): Promise<fc.Arbitrary<Changed>> {
  const files = await Promise.all(
    reports.map(async (report) => {
      const names = (await readdir(join(builtInReports, report))).sort();
      return Promise.all(
        names.map(async (file) => ({
          report,
          file,
          text: await readFile(join(builtInReports, report, file), 'utf8'),
        })),
      );
    }),
  );
  return fc.constantFrom(...files.flat()).chain(({ report, file, text }) => {
    const fragment = file === 'report.yaml' ? yamlFragment : sqlFragment;
    return asBytes(mutated([text], fragment)).map((bytes) => ({ report, file, bytes }));
  });
}

async function copyWith(parent: string, { report, file, bytes }: Changed): Promise<void> {
  await mkdir(parent);
  await cp(join(builtInReports, report), join(parent, 'mine'), { recursive: true });
  await writeFile(join(parent, 'mine', file), bytes);
}

function holdFaults(error: unknown): void {
  const isToldOf = error instanceof ReportDefinitionError || error instanceof ReportQueryError;
  if (!isToldOf) throw error;
  expect(error.message).toMatch(/mine[/\\][\w.]+(:\d+)?/);
}

test(
  'a report with anything gone, doubled or put in renders, or its faults are told with their files',
  async () => {
    const root = await temporaryFolder();
    const warehouse = join(root, 'w.duckdb');
    await makeWarehouse(warehouse, generatedRows(generatePosts(40)));
    let nth = 0;
    await assertHolds(
      fc.asyncProperty(
        await changedFiles(['emv', 'removed', 'quality', 'engagement']),
        async (changed) => {
          const parent = join(root, String((nth += 1)));
          await copyWith(parent, changed);
          try {
            await checkAndRender(parent, warehouse);
          } catch (error) {
            holdFaults(error);
          }
        },
      ),
      8,
    );
  },
  fuzzTimeoutMs,
);

/** @throws ReportDefinitionError for what a check finds, ReportQueryError for what only shows with data */
async function checkAndRender(parent: string, warehouse: string): Promise<void> {
  const definition = await readReport(parent, 'mine');
  const config = reportConfig(warehouse);
  const check = await openCheck(config);
  const { faults } = await checkReport(check, definition).finally(() => check.close());
  if (faults.length > 0) throw new ReportDefinitionError(faults);
  const session = await openReportSession(config, allPosts);
  try {
    const document = await buildReport(session, definition);
    expect(renderHtml(document, { logo: null, formats: ['html'] })).toContain('</html>');
    for (const section of document.sections)
      expect(JSON.parse(renderJson(section))).toHaveLength(section.rows.length);
    await writeWorkbook(document, join(parent, 'mine.xlsx'));
  } finally {
    session.close();
  }
}
