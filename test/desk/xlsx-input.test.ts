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
import { madeDemo } from './support/made-demo.ts';
import {
  recalculatedWorkbooks,
  type SheetCells,
  type WorkbookCells,
} from './support/recalculated-workbook.ts';

const run = promisify(execFile);
const python = '/usr/bin/python3';
const period = { ...allPosts, from: '2026-01-01', to: '2026-06-30' } as const;

/** Writes the third file as the first one with the second argument in the cell of the CPM, and so on. */
const changeInput = `
import sys, openpyxl
for path, typed, changed in zip(*[iter(sys.argv[1:])] * 3):
    book = openpyxl.load_workbook(path)
    sheet, cell = book.defined_names["cpm"].attr_text.replace("'", "").replace("$", "").split("!")
    book[sheet][cell] = None if typed == "" else typed if typed.isalpha() else float(typed)
    book.save(changed)
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

const warehouse = 'data/postledger.duckdb';
let folder: string;

/** Figures beyond what a double holds exactly, in posts of every campaign, type and label. */
const large = `
update linkedin_posts set impression_count = 9007199254740993 where hash(linkedin_post_id) % 7 = 0;
`;

async function change(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

/** Inputs that are not a price, each tried with one report, since spreadsheets are slow. */
const unusable = ['', '0', 'abc'];
const typedIn = (index: number) => unusable[index % unusable.length] ?? '';

/** The document of a report, that at a CPM of 45, and the cells of its workbook by what was typed as its CPM. */
interface Case {
  readonly reported: ReportDocument;
  readonly repriced: ReportDocument;
  readonly typed: Readonly<Record<string, WorkbookCells>>;
}
const cases = new Map<string, Case>();

/** Reports on a folder's warehouse. */
async function documents(
  name: string,
  cpm: number | null,
  wanted: readonly ReportDefinition[] = withInput,
): Promise<ReportDocument[]> {
  const now = new Date();
  const file = join(folder, name, 'jobs.yaml');
  const config = await loadConfig({ file, environment: {}, now });
  const parameters = { ...period, cpm };
  const session = await openReportSession(reportConfigOf(config, null, now), parameters);
  const built: ReportDocument[] = [];
  try {
    for (const definition of wanted) built.push(await buildReport(session, definition));
    return built;
  } finally {
    session.close();
  }
}

/** Types each of its inputs into a copy of a document's workbook, and has all of these computed again. */
async function typeInto(
  reported: readonly ReportDocument[],
  inputs: readonly (readonly string[])[],
): Promise<readonly WorkbookCells[]> {
  const changes: (readonly [path: string, input: string, changed: string])[] = [];
  for (const [index, document] of reported.entries()) {
    const path = join(folder, `${index}.xlsx`);
    await writeWorkbook(document, path);
    for (const [nth, input] of (inputs[index] ?? []).entries())
      changes.push([path, input, join(folder, `${index}-${nth}.xlsx`)]);
  }
  await run(python, ['-W', 'ignore', '-c', changeInput, ...changes.flat()]);
  return recalculatedWorkbooks(
    changes.map(([, , changed]) => changed),
    folder,
  );
}

function caseOf(name: string): Case {
  const found = cases.get(name);
  if (!found) throw new Error(`no case ${name}`);
  return found;
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
  sheets: WorkbookCells,
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
  const made = await madeDemo();
  folder = await mkdtemp(join(tmpdir(), 'postledger-input-'));
  for (const [name, sql] of Object.entries({ demo: pricedApart, large: pricedApart + large })) {
    for (const file of ['jobs.yaml', warehouse])
      await cp(join(made, file), join(folder, name, file));
    await change(join(folder, name, warehouse), sql);
  }
  const emv = withInput.filter(({ name }) => name === 'emv');
  const [reported, repriced] = [await documents('demo', null), await documents('demo', 45)];
  reported.push(...(await documents('large', null, emv)));
  repriced.push(...(await documents('large', 45, emv)));
  const inputs = [...withInput.map((_, index) => ['45', typedIn(index)]), ['45']];
  const workbooks = (await typeInto(reported, inputs)).values();
  for (const [index, typed] of inputs.entries()) {
    const sheets = typed.map((input) => [input, workbooks.next().value ?? {}] as const);
    const name = withInput[index]?.name ?? 'large';
    const [one, other] = [reported[index], repriced[index]];
    if (one && other)
      cases.set(name, { reported: one, repriced: other, typed: Object.fromEntries(sheets) });
  }
}, 600_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it('a workbook reprices integers beyond 2^53 without errors in cells', () => {
  const { reported, repriced, typed } = caseOf('large');
  const sheets = typed['45'] ?? {};
  const cells = Object.values(sheets).flatMap((sheet) => Object.values(sheet));
  expect(cells.filter((cell) => /^#[A-Z0-9/]+[!?]$/u.test(String(cell)))).toEqual([]);
  const figures = [...compared(sheets, { reported, other: repriced })];
  for (const figure of figures) if (figure.kind === 'priced') expectFigure(figure);
});

describe.each(withInput.map(({ name }, index) => [name, typedIn(index)] as const))(
  "a workbook's input: %s",
  (name, unusableInput) => {
    it('has the figures of --cpm 45 when the input is 45, or nothing, and none that are stale', () => {
      const { reported, repriced, typed } = caseOf(name);
      const sheets = typed['45'] ?? {};
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
      const cards = repriced.cards.filter(
        ({ cell, format }) => cell !== null && format === 'money',
      );
      const shown = cards.flatMap(({ label, value }) => {
        const row = about.find(([, text]) => text === label)?.[0].slice(1) ?? '';
        const cell = sheets['About']?.[`C${row}`] ?? '';
        return cell === '' ? [] : [{ label, cell, value: Number(value) }];
      });
      expect(shown.length).toBeGreaterThan(0);
      for (const { label, cell, value } of shown) expect(cell, label).toBeCloseTo(value, 6);
    });

    it(`has the original figures when the cell holds "${unusableInput}"`, () => {
      const { reported, typed } = caseOf(name);
      const sheets = typed[unusableInput] ?? {};
      for (const cell of compared(sheets, { reported, other: reported }))
        if (cell.isFigure) expectFigure(cell);
    });
  },
);
