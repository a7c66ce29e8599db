import { expectedTables, metrics } from './expected-tables.mjs';
import { readPosts, readSnapshots } from './warehouse-file.mjs';

const metricColumns = new Set(Object.values(metrics));

/** What differs between the tables and what the responses say of them, a sentence each. */
export async function compareTables(query, responses, timezone) {
  const expected = expectedTables([...responses.values()], timezone);
  return [
    ...compareRows({
      table: 'linkedin_posts',
      expected: expected.linkedin_posts,
      actual: await readPosts(query),
      keyOf: (row) => row.linkedin_post_id,
    }),
    ...compareRows({
      table: 'linkedin_post_snapshots',
      expected: expected.linkedin_post_snapshots,
      actual: await readSnapshots(query),
      keyOf: (row) => `${row.linkedin_post_id} ${row.captured_on}`,
    }),
  ];
}

/** @param expected rows by key; columns that they do not have are not compared */
function compareRows({ table, expected, actual, keyOf }) {
  const problems = [];
  const seen = new Set();
  for (const row of actual) {
    const key = keyOf(row);
    if (seen.has(key)) problems.push(`${table} has ${key} twice`);
    seen.add(key);
    const wanted = expected.get(key);
    if (wanted) problems.push(...differences(table, key, wanted, row));
    else problems.push(`${table} has ${key}, which is in no response`);
  }
  for (const key of expected.keys()) if (!seen.has(key)) problems.push(`${table} has lost ${key}`);
  return problems;
}

function differences(table, key, wanted, row) {
  return Object.keys(wanted)
    .filter((column) => !isSame(column, wanted[column], row[column]))
    .map(
      (column) =>
        `${table} ${key}: ${column} is ${JSON.stringify(row[column])}, not ${JSON.stringify(wanted[column])}`,
    );
}

/** Counts come as texts where 2^53 does not hold them. */
function isSame(column, wanted, found) {
  if (wanted === null || found === null || found === undefined) return wanted === (found ?? null);
  return metricColumns.has(column) ? Number(wanted) === Number(found) : wanted === found;
}

/** Tables that two dumps do not have alike, with the first rows of each side alone. */
export function compareDumps(one, other) {
  const problems = [];
  for (const table of new Set([...one.keys(), ...other.keys()])) {
    const [rows, otherRows] = [one.get(table) ?? [], other.get(table) ?? []];
    const [set, otherSet] = [new Set(rows), new Set(otherRows)];
    const alone = rows.filter((row) => !otherSet.has(row));
    const otherAlone = otherRows.filter((row) => !set.has(row));
    if (rows.length === otherRows.length && alone.length + otherAlone.length === 0) continue;
    const shown = JSON.stringify([alone.slice(0, 2), otherAlone.slice(0, 2)]);
    problems.push(`${table}: ${rows.length} and ${otherRows.length} rows, alone in each: ${shown}`);
  }
  return problems;
}
