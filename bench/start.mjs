// Compares the start of the program with that of Node, by the middle one of several starts.
//   npm run build && node bench/start.mjs [--times 11] [--short] [--json] [--keep]
import { madeProfiles, warehouseOf, writeJobsFile } from './support/data-folder.mjs';
import { median, readNumbers, runBench } from './support/harness.mjs';

const { times } = readNumbers({ times: [11, 1] });

/** Opens the warehouse with DuckDB and nothing of the program. */
function openAlone(path) {
  return `import('${import.meta.resolve('@duckdb/node-api')}').then(async ({ DuckDBInstance }) => {
    const connection = await (await DuckDBInstance.create('${path}')).connect();
    await connection.run('from linkedin_posts');
  });`;
}

async function medianOf(start) {
  const measured = [];
  for (let count = 0; count < times; count += 1) measured.push(await start());
  return median(measured);
}

await runBench(import.meta.filename, {}, async (bench) => {
  await writeJobsFile(bench.folder, { acme: madeProfiles(5) });
  await bench.command(['load']);
  const node = await medianOf(() => bench.script('0'));
  bench.add('node -e 0', node);
  const alone = openAlone(warehouseOf(bench.folder));
  bench.add('DuckDB alone', await medianOf(() => bench.script(alone)), node);
  for (const args of [['--help'], ['report', 'list'], ['plan', 'daily'], ['status']])
    bench.add(args.join(' '), await medianOf(() => bench.command(args)), node);
});
