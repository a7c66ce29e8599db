/*
 * Turns Fivetran's seeds of real LinkedIn page statistics into a recorded workspace for the sandbox.
 *
 *   node scripts/convert-linkedin-pages.mjs [<folder with the CSV files> [<file to write>]]
 *
 * What it decides: a reading belongs to the synchronisation that it came with, and each of those is
 * a generation; posts take their publication time from their LinkedIn id unless the history gives
 * it; types come from post_content.csv, and are Text where that file has no word on the post.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** @typedef {Record<string, string>} Row */
/** @typedef {{ readAt: Date, record: Record<string, unknown> }} Reading */

const fixture = resolve(import.meta.dirname, '..', 'test', 'fixtures', 'linkedin-pages');

/** Readings further apart than this belong to different synchronisations; real ones take a minute. */
const betweenSynchronisationsMs = 3_600_000;

const noFigures = {
  likeCount: null,
  commentCount: null,
  shareCount: null,
  clickCount: null,
  saveCount: null,
  sendCount: null,
  impressionCount: null,
  engagement: null,
  emv: null,
  videoViewCount: null,
  videoViewerCount: null,
  videoWatchTimeSeconds: null,
};

const [folder = join(fixture, 'raw'), output = join(fixture, 'workspace.json')] =
  process.argv.slice(2);
const statistics = await readRows('share_statistic.csv');
const history = await readRows('ugc_post_history.csv');
const contents = new Map(
  (await readRows('post_content.csv')).map((row) => [field(row, 'post_id'), row]),
);
const readings = [...statistics.map(statisticsReading), ...history.map(historyReading)];
await writeFile(output, `${JSON.stringify(recordedWorkspace(), null, 2)}\n`);

function recordedWorkspace() {
  const authors = [
    ...statistics.map((row) => field(row, '_organization_entity_urn')),
    ...history.map((row) => field(row, 'author')),
  ];
  return {
    format: 'postledger-recorded-workspace',
    version: 1,
    source:
      'Converted by scripts/convert-linkedin-pages.mjs from github.com/fivetran/dbt_linkedin_pages, integration_tests/seeds, commit c108869ee326359c0b2a7c0eae473248ad119504 (2025-12-01)',
    licence: 'Apache-2.0',
    workspace: { slug: 'linkedin-pages', name: 'LinkedIn pages', timezone: 'UTC' },
    profiles: [...new Set(authors)].sort().map((urn) => ({
      id: uuidOf(urn),
      name: `LinkedIn page ${lastPart(urn)}`,
      kind: 'page',
    })),
    generations: generationsOf(readings),
  };
}

/** @param {string} name */
async function readRows(name) {
  const text = await readFile(join(folder, name), 'utf8');
  if (text.includes('"')) throw new Error(`${name} has quoted fields, which are not read here`);
  const [head = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const columns = head.split(',');
  return lines.map((line) => rowOf(name, columns, line.split(',')));
}

/**
 * @param {string} name
 * @param {string[]} columns
 * @param {string[]} cells
 * @returns {Row}
 */
function rowOf(name, columns, cells) {
  if (cells.length !== columns.length) {
    throw new Error(
      `${name} has a line of ${cells.length} cells, not ${columns.length}: ${cells.join()}`,
    );
  }
  return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
}

/**
 * @param {Row} row
 * @returns {Reading}
 */
function statisticsReading(row) {
  const urn = field(row, '_share_entity_urn');
  return {
    readAt: instant(field(row, '_fivetran_synced')),
    record: {
      profile_id: uuidOf(field(row, '_organization_entity_urn')),
      ...postOf(urn),
      commentary: null,
      publishedAt: publishedAt(urn).toISOString(),
      ...noFigures,
      likeCount: number(row, 'like_count'),
      commentCount: number(row, 'comment_count'),
      shareCount: number(row, 'share_count'),
      clickCount: number(row, 'click_count'),
      impressionCount: number(row, 'impression_count'),
      engagement: number(row, 'engagement'),
      servicePost: null,
    },
  };
}

/**
 * @param {Row} row
 * @returns {Reading}
 */
function historyReading(row) {
  return {
    readAt: instant(field(row, '_fivetran_synced')),
    record: {
      profile_id: uuidOf(field(row, 'author')),
      ...postOf(field(row, 'id')),
      commentary: field(row, 'commentary'),
      publishedAt: instant(field(row, 'first_published_at')).toISOString(),
      ...noFigures,
      servicePost: null,
    },
  };
}

/** @param {string} urn */
function postOf(urn) {
  const url = `https://www.linkedin.com/feed/update/${urn}/`;
  return { id: uuidOf(urn), url, type: typeOf(contents.get(urn)) };
}

/** @param {Row | undefined} content */
function typeOf(content) {
  switch (content?.['type']) {
    case undefined:
      return 'Text';
    case 'multi_image':
      return 'MultiImage';
    case 'poll':
      return 'Poll';
    case 'media':
      return field(content, 'media_id').includes(':video:') ? 'Video' : 'Document';
    default:
      throw new Error(`post_content.csv has a type that is not known: ${content?.['type']}`);
  }
}

/** @param {Reading[]} all */
function generationsOf(all) {
  const sorted = all.toSorted((one, other) => one.readAt.getTime() - other.readAt.getTime());
  /** @type {Reading[][]} */
  const synchronisations = [];
  for (const reading of sorted) {
    const current = synchronisations.at(-1);
    const last = current?.at(-1);
    const gapMs = reading.readAt.getTime() - (last?.readAt.getTime() ?? -Infinity);
    if (current && gapMs <= betweenSynchronisationsMs) current.push(reading);
    else synchronisations.push([reading]);
  }
  return synchronisations.map((group) => ({
    at: group.at(-1)?.readAt.toISOString(),
    records: group.map(({ record }) => record),
  }));
}

/**
 * LinkedIn's ids hold the time of publication in Unix milliseconds above their lowest 22 bits.
 * @param {string} urn
 */
function publishedAt(urn) {
  return new Date(Number(BigInt(lastPart(urn)) >> 22n));
}

/**
 * Fivetran writes UTC, now with its name, now without.
 * @param {string} text
 */
function instant(text) {
  const time = new Date(`${text.replace(/ UTC$/, '').replace(' ', 'T')}Z`);
  if (Number.isNaN(time.getTime())) throw new Error(`this is no time: ${text}`);
  return time;
}

/** @param {string} urn */
function lastPart(urn) {
  return urn.slice(urn.lastIndexOf(':') + 1);
}

/**
 * @param {Row} row
 * @param {string} column
 */
function field(row, column) {
  const value = row[column];
  if (value === undefined) throw new Error(`there is no column ${column}`);
  return value;
}

/**
 * @param {Row} row
 * @param {string} column
 */
function number(row, column) {
  const value = Number(field(row, column) || NaN);
  if (Number.isNaN(value)) throw new Error(`${column} is no number: ${field(row, column)}`);
  return value;
}

/**
 * UUID version 5 of a URN, in the namespace of URLs.
 * @param {string} urn
 */
function uuidOf(urn) {
  const namespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');
  const bytes = createHash('sha1').update(namespace).update(urn).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
