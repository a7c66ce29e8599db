// Writes the rows of a query as a workbook, and as CSV for comparison. XlsxWriter writes as many rows and columns from
// memory it does not keep, where it is installed:
//   python3 -m pip install --target .cache/peers xlsxwriter
//   npm run build && node bench/xlsx.mjs [--rows 100000] [--short] [--json] [--keep]
import { madeProfiles, writeJobsFile } from './support/data-folder.mjs';
import { readNumbers, runBench } from './support/harness.mjs';

const { rows } = readNumbers({ rows: [100_000, 100] });
const counts = Array.from({ length: 10 }, (_, column) => `i * ${column + 7} % 9973 as n${column}`);
const figures = Array.from({ length: 4 }, (_, column) => `i * 0.${column + 1}7 as d${column}`);
const sql = `
  select
    i as id, 'Post ' || i || ' of the workspace' as title, 'campaign ' || i % 50 as campaign,
    ['Image', 'Video', 'Text'][1 + i % 3] as type, date '2024-01-01' + (i % 700)::integer as day,
    timestamptz '2024-01-01' + i * interval 1 minute as published,
    ${[...counts, ...figures].join(', ')}
  from range(${rows}) as posts(i)`;

await runBench(import.meta.filename, {}, async (bench) => {
  await writeJobsFile(bench.folder, { acme: madeProfiles(1) });
  await bench.command(['load']);
  const peer = await bench.peer('xlsx_rows.py', 'xlsxwriter', rows);
  if (peer) bench.add('XlsxWriter, constant memory', peer);
  for (const format of ['xlsx', 'csv'])
    bench.add(format, await bench.command(['sql', sql, '--out', `rows.${format}`]), peer);
});
