import { readPosts, readSnapshots } from './warehouse-file.mjs';

/** Of the API, and the table's columns for them. */
export const metrics = {
  likeCount: 'like_count',
  commentCount: 'comment_count',
  shareCount: 'share_count',
  clickCount: 'click_count',
  saveCount: 'save_count',
  sendCount: 'send_count',
  impressionCount: 'impression_count',
  engagement: 'engagement',
  emv: 'emv',
  videoViewCount: 'video_view_count',
  videoViewerCount: 'video_viewer_count',
  videoWatchTimeSeconds: 'video_watch_time_seconds',
};
const metricNames = Object.keys(metrics);
const counts = metricNames.filter((name) => !['engagement', 'emv'].includes(name));

/**
 * The tables that docs/data.md promises for these responses, worked out one record after another without
 * any SQL. @param responses `{manifest, body}` of analytics and posts, in any order
 */
function expectedTables(responses, timezone) {
  const posts = new Map();
  const snapshots = new Map();
  for (const { manifest, body } of inOrder(responses)) {
    const { kind, profile_id: profileId } = manifest.request;
    if (kind !== 'analytics' || manifest.outcome !== 'succeeded') continue;
    const day = dayOf(new Date(manifest.fetched_at), timezone);
    for (const record of JSON.parse(body)) {
      if (!isGood(record)) continue;
      snapshots.set(`${record.id} ${day}`, snapshotOf(record, day, manifest));
      posts.set(record.id, mergePost(posts.get(record.id), record, profileId, manifest));
    }
  }
  return { linkedin_posts: posts, linkedin_post_snapshots: snapshots };
}

/** As the responses followed one another. */
function inOrder(responses) {
  const keyOf = ({ manifest: { fetched_at: at, run_id: run, seq } }) =>
    `${at} ${run} ${String(seq).padStart(9, '0')}`;
  return responses
    .map((response) => [keyOf(response), response])
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, response]) => response);
}

const isText = (value) => typeof value === 'string';
const isNone = (value) => value === undefined || value === null;
const isCount = (value) => Number.isInteger(value) && Math.abs(value) < 2 ** 63;

const isTime = (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));

/** What docs/data.md lets in. */
function isGood(record) {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return false;
  const { id, url, type, commentary, publishedAt, servicePost } = record;
  if (![id, url, type].every((value) => isText(value) && value.trim() !== '')) return false;
  if (![commentary, publishedAt].every((value) => isNone(value) || isText(value))) return false;
  if (!isNone(publishedAt) && !isTime(publishedAt)) return false;
  if (!counts.every((name) => isNone(record[name]) || isCount(record[name]))) return false;
  const ratios = [record.engagement, record.emv];
  if (!ratios.every((value) => isNone(value) || Number.isFinite(value))) return false;
  return isNone(servicePost) || isGoodLink(servicePost);
}

function isGoodLink(link) {
  if (typeof link !== 'object' || Array.isArray(link)) return false;
  const { id, title, labels, campaign } = link;
  if (!isText(id) || id.trim() === '') return false;
  if (!isNone(title) && !isText(title)) return false;
  if (!isNone(labels) && !(Array.isArray(labels) && labels.every(isGoodLabel))) return false;
  if (isNone(campaign)) return true;
  return typeof campaign === 'object' && isText(campaign.id) && campaign.id.trim() !== ''
    ? isNone(campaign.name) || isText(campaign.name)
    : false;
}

function isGoodLabel(label) {
  const id = label?.labelId ?? label?.id;
  return isText(id) && (isNone(label.name) || isText(label.name));
}

function snapshotOf(record, day, manifest) {
  const row = { linkedin_post_id: record.id, captured_on: day, captured_at: manifest.fetched_at };
  for (const name of metricNames) row[metrics[name]] = record[name] ?? null;
  return row;
}

/** Each metric's last value that was given; all else as it was given last. */
function mergePost(known, record, profileId, { fetched_at: at }) {
  const row = {
    linkedin_post_id: record.id,
    profile_id: profileId,
    url: record.url,
    commentary: record.commentary?.toWellFormed() ?? null,
    type: record.type,
    published_at: record.publishedAt ? new Date(record.publishedAt).toISOString() : null,
    post_id: record.servicePost?.id ?? known?.post_id ?? null,
    first_seen_at: known?.first_seen_at ?? at,
    last_seen_at: at,
  };
  for (const name of metricNames)
    row[metrics[name]] = record[name] ?? known?.[metrics[name]] ?? null;
  return row;
}

/** The day of an instant in an IANA time zone, as YYYY-MM-DD: the Swedish way of writing days is ISO 8601's. */
function dayOf(instant, timezone) {
  return instant.toLocaleDateString('sv-SE', { timeZone: timezone });
}

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
