/**
 * Time and memory of a workbook of 100,000 rows and 20 typed columns: ours against exceljs's own
 * streaming writer; and ours as a report's posts, with a calculation in four of the columns. Each runs in a process of its own, since what one takes the other would not.
 * Run after a build: node bench/xlsx.mjs [rows]
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const formats = [
  'text',
  'text',
  'text',
  'url',
  'text',
  'longtext',
  'text',
  'datetime',
  'text',
  'list',
  'boolean',
  'count',
  'count',
  'count',
  'count',
  'count',
  'money_exact',
  'rate',
  'share',
  'cpm',
];
const columns = formats.map((format, index) => ({
  name: `column_${index}`,
  title: `Column ${index}`,
  format,
  nullNote: null,
  isInHtml: true,
  isPrimary: false,
  calculation: null,
}));

const calculations = {
  16: { kind: 'priced', by: 'column_11', per: 1000 },
  17: { kind: 'ratio', of: 'column_12', to: 'column_11', times: 1 },
  18: { kind: 'share', of: 'column_16' },
  19: { kind: 'ratio', of: 'column_16', to: 'column_11', times: 1000 },
};
let total = 1;

function makeRow(index) {
  const id = `urn:li:share:7${String(index).padStart(18, '0')}`;
  return [
    'acme',
    `Profile ${index % 5}`,
    id,
    `https://www.linkedin.com/feed/update/${id}/`,
    `Post ${index}`,
    `What we measured in week ${index}. `.repeat(6),
    'Video',
    new Date(1_735_689_600_000 + index * 300_000).toISOString(),
    'Spring',
    ['Event', 'Hiring'],
    false,
    index * 17,
    index % 97,
    index % 13,
    index % 7,
    index % 3,
    index * 0.51,
    (index % 97) / (index * 17 || 1),
    (index * 0.51) / total,
    30,
  ];
}

/** As a report has them: all in memory. */
function makeRows(count) {
  return Array.from({ length: count }, (_, index) => makeRow(index));
}

async function writeOurs(path, count) {
  const { writeTableWorkbook } = await import('../dist/render/xlsx/workbook.js');
  const options = { title: 'Bench', timezone: 'Europe/Berlin', currency: 'EUR', locale: 'en-GB' };
  await writeTableWorkbook({ columns, rows: makeRows(count) }, path, options);
}

/** A sheet of posts and one of their sum, which the shares are of. */
async function writeReport(path, count) {
  const { writeWorkbook } = await import('../dist/render/xlsx/workbook.js');
  total = 0.51 * ((count * (count - 1)) / 2);
  const section = {
    finding: null,
    description: 'Every post.',
    basis: null,
    key: [],
    sortedBy: null,
    total: null,
    chart: null,
    notes: [],
  };
  const posts = {
    ...section,
    name: 'posts',
    title: 'Posts',
    layout: 'posts',
    columns: columns.map((column, index) => ({
      ...column,
      calculation: calculations[index] ?? null,
    })),
    rows: makeRows(count),
  };
  const summary = {
    ...section,
    name: 'summary',
    title: 'Totals',
    layout: 'figures',
    columns: [{ ...columns[16], calculation: null }],
    rows: [[total]],
  };
  const input = {
    section: 'summary',
    column: 'column_16',
    name: 'cpm',
    title: 'CPM',
    format: 'cpm',
    value: 30,
    help: 'Change it.',
  };
  const document = {
    name: 'bench',
    title: 'Bench',
    description: 'A bench.',
    covers: 'posts',
    period: { from: null, to: null },
    previousPeriod: null,
    isAtEqualAge: false,
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    locale: 'en-GB',
    brand: null,
    cpmBand: null,
    profiles: [],
    filters: [],
    dataAsOf: null,
    lede: null,
    cards: [],
    coverage: [],
    sections: [posts, summary],
    input,
    definitions: [],
    stamp: { run: null, sqlHash: '000000000000' },
  };
  await writeWorkbook(document, path);
}

async function writePlain(path, count) {
  const { default: ExcelJS } = await import('exceljs');
  const writer = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: path, useStyles: true });
  const sheet = writer.addWorksheet('Rows');
  const styles = formats.map((format) => ({
    font: { name: 'Arial', size: 10 },
    numFmt: format === 'rate' ? '0.0%' : '#,##0',
  }));
  for (const [, cells] of makeRows(count).entries()) {
    const row = sheet.addRow([]);
    cells.forEach((cell, index) => {
      const target = row.getCell(index + 1);
      target.value = Array.isArray(cell) ? cell.join(', ') : cell;
      target.style = styles[index];
    });
    row.commit();
  }
  await writer.commit();
}

const writers = { ours: writeOurs, 'with formulas': writeReport, 'exceljs alone': writePlain };

async function measure(name, count) {
  const folder = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
  try {
    const path = join(folder, 'rows.xlsx');
    const start = performance.now();
    await writers[name](path, count);
    const seconds = (performance.now() - start) / 1000;
    const { size } = await stat(path);
    const peakMb = process.resourceUsage().maxRSS / 1024;
    console.log(
      `${name.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s ${peakMb.toFixed(0).padStart(6)} MB peak ${(size / 1e6).toFixed(1).padStart(6)} MB file`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const [count = '100000', name] = process.argv.slice(2);
if (name === undefined) {
  console.log(
    `${Number(count).toLocaleString('en')} rows of ${columns.length} columns, Node ${process.version}`,
  );
  for (const each of Object.keys(writers)) {
    spawnSync(process.execPath, [fileURLToPath(import.meta.url), count, each], {
      stdio: 'inherit',
    });
  }
} else {
  await measure(name, Number(count));
}
