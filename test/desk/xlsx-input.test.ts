import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { createFormatter, isFigureFormat } from '../../src/core/number-format.ts';
import { buildReport } from '../../src/report/report-builder.ts';
import {
  builtInReports,
  findReports,
  type ReportDefinition,
} from '../../src/report/report-catalog.ts';
import type { Cell, ReportDocument, ReportSection } from '../../src/report/report-document.ts';
import { allPosts, reportConfigOf } from '../../src/report/report-parameters.ts';
import { openReportSession } from '../../src/report/report-session.ts';
import { sheetFigure } from '../../src/render/xlsx/cell-value.ts';
import { planSheets } from '../../src/render/xlsx/sheet-plan.ts';
import { cellAddress } from '../../src/render/xlsx/table-place.ts';
import { writeWorkbook } from '../../src/render/xlsx/workbook.ts';
import { cliEntry } from '../support/cli.ts';
import { recalculatedWorkbook, type SheetCells } from './support/recalculated-workbook.ts';

const run = promisify(execFile);
const python = '/usr/bin/python3';
const period = { ...allPosts, from: '2026-01-01', to: '2026-06-30' } as const;

const changeInput = `
import sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
sheet, cell = book.defined_names["cpm"].attr_text.replace("'", "").replace("$", "").split("!")
typed = sys.argv[2]
book[sheet][cell] = None if typed == "" else typed if typed.isalpha() else float(typed)
book.save(sys.argv[3])
`;

/** Posts with an EMV of the service's own and no impressions, and posts with impressions and no EMV. */
const pricedApart = `
update linkedin_posts set impression_count = null
where emv is not null and published_at is not null and hash(linkedin_post_id) % 40 = 0;
update profiles set cpm = null;
update linkedin_posts set emv = null
where hash(linkedin_post_id) % 2 = 0
  and linkedin_post_id in (select linkedin_post_id from post_performance where is_removed);
`;

const definitions = await findReports([builtInReports]);
const withInput = [...definitions.values()].filter(({ input }) => input !== null);

let folder: string;

/** Figures beyond what a double holds exactly, in posts of every campaign, type and label. */
const large = `
update linkedin_posts set impression_count = 9007199254740993 where hash(linkedin_post_id) % 7 = 0;
`;

async function change(warehouse: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(warehouse);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

async function document(
  definition: ReportDefinition,
  cpm: number | null,
  demo = 'demo',
): Promise<ReportDocument> {
  const file = join(folder, demo, 'jobs.yaml');
  const config = await loadConfig({ file, environment: {}, now: new Date() });
  const session = await openReportSession(reportConfigOf(config, null, new Date()), {
    ...period,
    cpm,
  });
  try {
    return await buildReport(session, definition);
  } finally {
    session.close();
  }
}

/** The workbook's cells after somebody has typed `input` into the cell of the CPM. */
async function cellsAt(
  input: string,
  reported: ReportDocument,
): Promise<Readonly<Record<string, SheetCells>>> {
  const work = await mkdtemp(join(folder, 'work-'));
  const path = join(work, 'report.xlsx');
  const changed = join(work, 'changed.xlsx');
  await writeWorkbook(reported, path);
  await run(python, ['-W', 'ignore', '-c', changeInput, path, input, changed]);
  return recalculatedWorkbook(changed, work);
}

function keyOf({ columns, key }: ReportSection, row: readonly Cell[]): string {
  const at = (name: string) => row[columns.findIndex((column) => column.name === name)];
  return key.map((name) => String(at(name))).join('\u0000');
}

interface Compared {
  readonly told: string;
  readonly kind: string | null;
  readonly isFigure: boolean;
  readonly computed: SheetCells[string];
  /** The cell of the report from which the workbook was made. */
  readonly given: Cell;
  /** The cell of the other run; null when that has no such row. */
  readonly expected: Cell;
  /** The number of `expected` in the workbook. */
  readonly figure: number | null;
}

/** Each cell of the sheets beside that of another run of the report; an empty cell is `''`. */
function* compared(
  sheets: Readonly<Record<string, SheetCells>>,
  { reported, other }: { reported: ReportDocument; other: ReportDocument },
): Generator<Compared> {
  for (const { section, place } of planSheets(reported, createFormatter(reported)).sections) {
    const target = other.sections.find(({ name }) => name === section.name);
    const rows = new Map(target?.rows.map((row) => [keyOf(section, row), row]));
    const lines = section.rows.map((given, index) => ({
      row: place.firstRow + index,
      given,
      cells: rows.get(keyOf(section, given)),
    }));
    const total = { row: place.totalRow ?? 0, given: section.total?.cells ?? [] };
    const all = section.total ? [...lines, { ...total, cells: target?.total?.cells }] : lines;
    for (const { row, given, cells } of all) {
      for (const [index, { name, format, calculation }] of section.columns.entries()) {
        const position = place.columns.get(name);
        if (position === undefined || section.key.includes(name)) continue;
        const address = cellAddress(place, position, row);
        const expected = cells?.[index] ?? null;
        yield {
          told: `${section.name}!${address} (${name})`,
          kind: calculation?.kind ?? null,
          isFigure: isFigureFormat(format),
          computed: sheets[place.sheet]?.[address] ?? '',
          given: given[index] ?? null,
          expected,
          figure: sheetFigure(expected, format),
        };
      }
    }
  }
}

function expectFigure({ told, computed, figure }: Compared): void {
  if (figure === null) expect(computed, told).toBe('');
  else
    expect(Math.abs(Number(computed) - figure), told).toBeLessThanOrEqual(
      1e-9 * Math.abs(figure) + 1e-12,
    );
}

/** Tells whether a cell of the changed workbook says what neither the changed input nor the other run does. */
function isStale({ computed, given, expected, isFigure, figure }: Compared): boolean {
  if (computed === '' || isDeepStrictEqual(given, expected)) return false;
  if (!isFigure) return expected !== null && computed !== expected;
  const distance = Math.abs(Number(computed) - (figure ?? NaN));
  return !(distance <= 1e-9 * Math.abs(figure ?? 0) + 1e-12);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postledger-input-'));
  const options = { cwd: folder };
  const args = [cliEntry, 'demo', '--days', '1', '--out', join(folder, 'demo')];
  await run(process.execPath, args, options);
  await change(join(folder, 'demo/data/postledger.duckdb'), pricedApart);
  await cp(join(folder, 'demo'), join(folder, 'large'), { recursive: true });
  await change(join(folder, 'large/data/postledger.duckdb'), large);
}, 600_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it('a workbook reprices integers beyond 2^53 without errors in cells', async () => {
  const definition = definitions.get('emv');
  if (!definition) throw new Error('there is no report emv');
  const reported = await document(definition, null, 'large');
  const other = await document(definition, 45, 'large');
  const sheets = await cellsAt('45', reported);
  const cells = Object.values(sheets).flatMap((sheet) => Object.values(sheet));
  expect(cells.filter((cell) => /^#[A-Z0-9/]+[!?]$/u.test(String(cell)))).toEqual([]);
  const figures = [...compared(sheets, { reported, other })];
  for (const figure of figures) if (figure.kind === 'priced') expectFigure(figure);
});

/** Inputs that are not a price, each tried with one report, since spreadsheets are slow. */
const unusable = ['', '0', 'abc'];

describe.each(
  withInput.map((definition, index) => {
    const typed = unusable[index % unusable.length] ?? '';
    return [definition.name, { definition, typed }] as const;
  }),
)("a workbook's input: %s", (_, { definition, typed }) => {
  it('has the figures of --cpm 45 when the input is 45, or nothing, and none that are stale', async () => {
    const reported = await document(definition, null);
    const repriced = await document(definition, 45);
    const sheets = await cellsAt('45', reported);
    const cells = [...compared(sheets, { reported, other: repriced })];
    expect(cells.filter(isStale).map(({ told }) => told)).toEqual([]);
    const figures = cells.filter(({ kind, isFigure }) => kind !== null && isFigure);
    const priced = figures.filter(({ kind }) => kind === 'priced');
    expect(new Set(priced.map(({ told }) => told.split('!')[0])).size).toBeGreaterThan(1);
    for (const figure of priced) expectFigure(figure);
    // All that can follow does.
    const blanks = figures.filter(
      ({ kind, computed, figure }) => kind !== 'as_given' && figure !== null && computed === '',
    );
    expect(blanks.map(({ told }) => told)).toEqual([]);

    const about = Object.entries(sheets['About'] ?? {});
    expect(about.map(([, text]) => text)).toContain(
      'Figures at 45, or empty; sentences, order and selection are as reported.',
    );
    const cards = repriced.cards.filter(({ cell, format }) => cell !== null && format === 'money');
    const shown = cards.flatMap(({ label, value }) => {
      const row = about.find(([, text]) => text === label)?.[0].slice(1) ?? '';
      const cell = sheets['About']?.[`C${row}`] ?? '';
      return cell === '' ? [] : [{ label, cell, value: Number(value) }];
    });
    expect(shown.length).toBeGreaterThan(0);
    for (const { label, cell, value } of shown) expect(cell, label).toBeCloseTo(value, 6);
  });

  it(`has the original figures when the cell holds "${typed}"`, async () => {
    const reported = await document(definition, null);
    const sheets = await cellsAt(typed, reported);
    for (const cell of compared(sheets, { reported, other: reported }))
      if (cell.isFigure) expectFigure(cell);
  });
});
