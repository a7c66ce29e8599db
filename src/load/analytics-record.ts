import { isUtf8 } from 'node:buffer';
import { countFields } from '../api/schemas/analytics.ts';
import { isCount, isRecord, isTooDeep, maxDepth } from '../core/json.ts';
import { readIsoTime } from '../core/iso-time.ts';

/*
 * The rules for a record of an analytics answer (specification, "LinkedInPostAnalytics"). `countPlainRecords`
 * decides whether one typed scan may load an answer; `cleanRecord` checks each record of every other answer.
 */

type Check = readonly [isFine: (value: unknown) => boolean, expected: string];

const aCount: Check = [(value) => typeof value === 'number' && isCount(value), 'an integer'];
const aNumber: Check = [(value) => Number.isFinite(value), 'a number'];

const requiredFields = ['id', 'url', 'type'] as const;
/** The checks of optional fields, applied to values that are not null, and the words for what was expected. */
const checks: Readonly<Record<string, Check>> = {
  commentary: [(value) => typeof value === 'string', 'text'],
  publishedAt: [
    (value) => typeof value === 'string' && readIsoTime(value) !== null,
    'an ISO 8601 time',
  ],
  engagement: aNumber,
  emv: aNumber,
  ...Object.fromEntries(countFields.map((field) => [field, aCount])),
};
const checkedFields = Object.entries(checks);
const ownFields = new Set<string>([...requiredFields, ...Object.keys(checks)]);
const linkedFields = new Set(['id', 'title', 'labels', 'campaign']);

/** The form of time that the typed scan reads as it is. */
const plainTime =
  /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/;
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** For each documented field, whether the typed scan reads the value as `cleanRecord` would. */
const plainFields = new Map<string, (value: unknown) => boolean>([
  ...checkedFields.map(([field, [isFine]]) => [field, isNullOr(isFine)] as const),
  ...requiredFields.map((field) => [field, isVisibleText] as const),
  ['publishedAt', isNullOr(isPlainTime)],
]);

/**
 * Counts the records of an answer that one typed scan reads correctly, without checking each one. Only structure is
 * looked at, so texts are read as Latin-1, which takes half the time of UTF-8.
 * @returns null for any other answer
 */
export function countPlainRecords(body: Buffer, linkedField: string): number | null {
  if (!isUtf8(body)) return null;
  const text = body.toString('latin1');
  // DuckDB refuses a file with a lone surrogate
  if (body.includes('\\u') && surrogateEscape.test(text)) return null;
  const records = JSON.parse(text) as unknown[];
  return records.every((record) => isPlainRecord(record, linkedField)) ? records.length : null;
}

function isPlainRecord(record: unknown, linkedField: string): boolean {
  if (!isRecord(record)) return false;
  for (const field in record) {
    const isPlain = field === linkedField ? isPlainLink : plainFields.get(field);
    if (!isPlain?.(record[field])) return false;
  }
  return requiredFields.every((field) => field in record);
}

function isPlainLink(linked: unknown): boolean {
  if (linked === null) return true;
  if (!isRecord(linked) || linkProblem(linked, '') !== null) return false;
  for (const field in linked) if (!linkedFields.has(field)) return false;
  const { id, campaign } = linked;
  return isVisibleText(id) && (!isRecord(campaign) || isVisibleText(campaign['id']));
}

/** True for a text that is not blank in any encoding. */
function isVisibleText(value: unknown): boolean {
  return typeof value === 'string' && /[!-~]/.test(value);
}

function isPlainTime(time: unknown): boolean {
  if (typeof time !== 'string' || !plainTime.test(time)) return false;
  // days up to the 28th exist in every month
  return time.slice(8, 10) <= '28' || readIsoTime(time) !== null;
}

function isNullOr(isFine: (value: unknown) => boolean) {
  return (value: unknown) => value === null || isFine(value);
}

/**
 * Returns the record as the typed scan takes it, with undocumented fields under `_extra`. Returns its problems,
 * joined by semicolons, if it cannot be loaded.
 */
export function cleanRecord(
  record: unknown,
  linkedField: string,
): { readonly record: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  if (!isRecord(record)) return { problem: `expected an object, got ${shown(record)}` };
  if (isTooDeep(record)) return { problem: `nested more than ${maxDepth} deep` };
  const problem = recordProblem(record, linkedField);
  if (problem !== '') return { problem };
  const clean: Record<string, unknown> = {};
  const extra: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    if (key === linkedField && isRecord(value)) {
      const rest = Object.entries(value).filter(([name]) => !linkedFields.has(name));
      clean[key] = value;
      if (rest.length > 0) extra[key] = Object.fromEntries(rest);
    } else if (ownFields.has(key) || (key === linkedField && isNullish(value))) clean[key] = value;
    else extra[key] = value;
  }
  const { publishedAt } = clean;
  if (typeof publishedAt === 'string') clean['publishedAt'] = asTimestamp(publishedAt);
  if (Object.keys(extra).length > 0) clean['_extra'] = extra;
  return { record: clean };
}

function recordProblem(record: Record<string, unknown>, linkedField: string): string {
  let problems = '';
  const add = (problem: string | null) => {
    if (problem !== null) problems += problems === '' ? problem : `; ${problem}`;
  };
  for (const field of requiredFields) add(nameProblem(field, record[field]));
  for (const [field, [isFine, expected]] of checkedFields) {
    const value = record[field];
    if (isNullish(value) || isFine(value)) continue;
    add(`${field}: expected ${expected}, got ${shown(value)}`);
  }
  const linked = record[linkedField];
  if (!isNullish(linked)) add(linkProblem(linked, linkedField));
  return problems;
}

function linkProblem(linked: unknown, field: string): string | null {
  if (!isRecord(linked)) return `${field}: expected an object, got ${shown(linked)}`;
  const { title, labels, campaign } = linked;
  const idProblem = nameProblem(`${field}.id`, linked['id']);
  if (idProblem) return idProblem;
  if (!isTextOrNull(title)) return `${field}.title: expected text, got ${shown(title)}`;
  if (!isNullish(labels)) {
    if (!Array.isArray(labels)) return `${field}.labels: expected an array`;
    const isLabel = (label: unknown) =>
      isRecord(label) &&
      typeof (label['labelId'] ?? label['id']) === 'string' &&
      isTextOrNull(label['name']);
    if (!labels.every(isLabel))
      return `${field}.labels: expected objects with a labelId and a name`;
  }
  if (isNullish(campaign)) return null;
  if (!isRecord(campaign)) return `${field}.campaign: expected an object`;
  const campaignName = campaign['name'];
  return (
    nameProblem(`${field}.campaign.id`, campaign['id']) ??
    (isTextOrNull(campaignName)
      ? null
      : `${field}.campaign.name: expected text, got ${shown(campaignName)}`)
  );
}

function nameProblem(field: string, value: unknown): string | null {
  if (isNullish(value)) return `${field}: missing`;
  if (typeof value !== 'string') return `${field}: expected text, got ${shown(value)}`;
  return value.trim() === '' ? `${field}: empty` : null;
}

function isNullish(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isTextOrNull(value: unknown): boolean {
  return isNullish(value) || typeof value === 'string';
}

/** Returns the time in the ISO 8601 form that DuckDB reads: with a `T` and seconds. */
function asTimestamp(time: string): string {
  return time.toUpperCase().replace(/^(.{10}).(\d\d:\d\d)(Z|[+-].*)?$/, '$1T$2:00$3');
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (Array.isArray(value)) return 'an array';
  return isRecord(value) ? 'an object' : String(value);
}
