import { isUtf8 } from 'node:buffer';
import { columnName, countFields, hasReadableId } from './schemas/analytics.ts';
import { isCount, isRecord, isTooDeep, maxDepth } from '../core/json.ts';
import { readIsoTime } from '../core/iso-time.ts';

/*
 * The rules for a record of an analytics answer (specification, "LinkedInPostAnalytics"). `isPlainAnswer` decides
 * whether one typed scan may load an answer; `cleanRecord` checks each record of every other answer.
 */

/** The test of a value that is not null, and the words for what was expected. */
type Check = readonly [isFine: (value: unknown) => boolean, expected: string];

const aCount: Check = [(value) => typeof value === 'number' && isCount(value), 'an integer'];
const aNumber: Check = [(value) => Number.isFinite(value), 'a number'];
const aText: Check = [(value) => typeof value === 'string' && value.trim() !== '', 'text'];
const wholeText = /^[+-]?\d{1,40}(?:\.0{1,40})?$/;
const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

const requiredFields = ['id', 'url', 'type'] as const;
/** The checks of the fields beside the id and the linked post. A null is unreadable only where the field is required. */
const checks: Readonly<Record<string, Check>> = {
  url: aText,
  type: aText,
  commentary: [(value) => typeof value === 'string', 'text'],
  publishedAt: [
    (value) => typeof value === 'string' && readIsoTime(value) !== null,
    'an ISO 8601 time',
  ],
  engagement: aNumber,
  emv: aNumber,
  ...Object.fromEntries(countFields.map((field) => [field, aCount])),
};
/** The fields in which a number may be given as text, with the form that such a text has. */
const numberTexts: Readonly<Record<string, RegExp>> = {
  engagement: decimalText,
  emv: decimalText,
  ...Object.fromEntries(countFields.map((field) => [field, wholeText])),
};
const linkedFields = new Set(['id', 'title', 'labels', 'campaign']);

/** The form of time that the typed scan reads as it is. */
const plainTime =
  /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/;
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** For each documented field, whether the typed scan reads the value as `cleanRecord` would. */
const plainFields = new Map<string, (value: unknown) => boolean>([
  ...Object.entries(checks).map(([field, [isFine]]) => [field, isNullOr(isFine)] as const),
  ...requiredFields.map((field) => [field, isVisibleText] as const),
  ['publishedAt', isNullOr(isPlainTime)],
]);

/**
 * Returns true if one typed scan reads the records of an answer correctly, without checking each one.
 * @param records those of the body; only structure is looked at, so that texts may have been read as Latin-1, which takes
 *   half the time of UTF-8
 */
export function isPlainAnswer(
  body: Buffer,
  records: readonly unknown[],
  linkedField: string,
): boolean {
  if (!isUtf8(body)) return false;
  // DuckDB refuses a file with a lone surrogate
  if (body.includes('\\u') && surrogateEscape.test(body.toString('latin1'))) return false;
  return records.every((record) => isPlainRecord(record, linkedField));
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
  if (!isRecord(linked) || linkFaults(linked).length > 0) return false;
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

/** A value that cannot be read, by its field as the API names it. It costs its field alone. */
interface UnreadableValue {
  readonly field: string;
  /** The field, what was expected and what was given. */
  readonly reason: string;
  /** The columns of `readings` that it would have filled. */
  readonly columns: readonly string[];
}

/** A record as the typed scan takes it. */
interface CleanRecord {
  /** With undocumented fields under `_extra`, and the columns whose values were given and cannot be read as `_unreadable`. */
  readonly record: Readonly<Record<string, unknown>>;
  readonly unreadable: readonly UnreadableValue[];
  /** The fields whose numbers were given as text. */
  readonly textNumbers: readonly string[];
}

/** Cleans a record. Returns the problem of one that does not name its post, which alone cannot be loaded. */
export function cleanRecord(
  record: unknown,
  linkedField: string,
): CleanRecord | { readonly problem: string } {
  if (!isRecord(record)) return { problem: `expected an object, got ${shown(record)}` };
  if (!hasReadableId(record)) return { problem: nameProblem('id', record['id']) ?? 'id: missing' };
  const { kept, tooDeep } = withoutDeepFields(record);
  const unreadable = tooDeep.map((field) => deepValue(field, linkedField));
  const textNumbers: string[] = [];
  const clean: Record<string, unknown> = { id: kept['id'] };
  const extra: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(kept)) {
    if (key === linkedField) {
      const { link, others, faults } = readLink(value, linkedField);
      clean[key] = link;
      if (others !== null) extra[key] = others;
      unreadable.push(...faults);
    } else if (key !== 'id' && !Object.hasOwn(checks, key)) extra[key] = value;
  }
  for (const [field, check] of Object.entries(checks)) {
    if (tooDeep.includes(field) || !(field in kept || field === 'url' || field === 'type'))
      continue;
    const value = kept[field];
    const number = asNumber(field, value);
    const reason = number === null ? problemOf(field, value, check) : null;
    if (number !== null) textNumbers.push(field);
    if (reason !== null) unreadable.push({ field, reason, columns: [columnName(field)] });
    clean[field] = reason === null ? (number ?? value) : null;
  }
  const { publishedAt } = clean;
  if (typeof publishedAt === 'string') clean['publishedAt'] = asTimestamp(publishedAt);
  if (Object.keys(extra).length > 0) clean['_extra'] = extra;
  const columns = unreadable.flatMap((value) => value.columns);
  if (columns.length > 0) clean['_unreadable'] = columns.sort();
  return { record: clean, unreadable, textNumbers };
}

interface ReadLink {
  readonly link: unknown;
  readonly others: object | null;
  readonly faults: readonly UnreadableValue[];
}

/** The linked post without what of it cannot be read, its undocumented fields, and what cannot be read. */
function readLink(linked: unknown, linkedField: string): ReadLink {
  if (isNullish(linked)) return { link: linked, others: null, faults: [] };
  const found = linkFaults(linked);
  const faults = found.map(({ part, problem, columns }): UnreadableValue => {
    const field = [linkedField, ...part].join('.');
    return { field, reason: `${field}: ${problem}`, columns };
  });
  const isLost = faults.some(({ columns }) => columns.includes('post_id'));
  if (isLost || !isRecord(linked)) return { link: null, others: null, faults };
  const lost = Object.fromEntries(found.map(({ part: [name] }) => [name, null])) as object;
  const others = Object.entries(linked).filter(([name]) => !linkedFields.has(name));
  return {
    link: { ...linked, ...lost },
    others: others.length > 0 ? Object.fromEntries(others) : null,
    faults,
  };
}

/** Returns the record without the fields that are nested too deep to be read, and their names. */
export function withoutDeepFields(record: Readonly<Record<string, unknown>>) {
  if (!isTooDeep(record)) return { kept: record, tooDeep: [] };
  // the record is a level by itself
  const tooDeep = Object.keys(record).filter((field) => isTooDeep([record[field]]));
  const kept = Object.entries(record).filter(([field]) => !tooDeep.includes(field));
  return { kept: Object.fromEntries(kept), tooDeep };
}

function deepValue(field: string, linkedField: string): UnreadableValue {
  const reason = `${field}: nested more than ${maxDepth} deep`;
  if (field === linkedField) return { field, reason, columns: ['post_id'] };
  return { field, reason, columns: Object.hasOwn(checks, field) ? [columnName(field)] : [] };
}

/** Returns a number that was given as text, as the typed scan reads it: whole numbers keep all of their digits. */
function asNumber(field: string, value: unknown): string | number | null {
  const form = numberTexts[field];
  if (form === undefined || typeof value !== 'string') return null;
  const text = value.trim();
  if (!form.test(text)) return null;
  if (form === decimalText) return Number.isFinite(Number(text)) ? Number(text) : null;
  const whole = BigInt(text.replace(/^\+|\..*$/g, ''));
  return BigInt.asIntN(64, whole) === whole ? String(whole) : null;
}

function problemOf(field: string, value: unknown, [isFine, expected]: Check): string | null {
  if (field === 'url' || field === 'type') return nameProblem(field, value);
  if (isNullish(value) || isFine(value)) return null;
  return `${field}: expected ${expected}, got ${shown(value)}`;
}

/** A part of a linked post that cannot be read; none for the link itself. */
interface LinkFault {
  readonly part: readonly string[];
  readonly problem: string;
  readonly columns: readonly string[];
}

/** What of a linked post cannot be read. Without an id there is no link, and each other part costs itself alone. */
function linkFaults(linked: unknown): LinkFault[] {
  const link = ['post_id'];
  if (!isRecord(linked))
    return [{ part: [], problem: `expected an object, got ${shown(linked)}`, columns: link }];
  const { id, title, labels, campaign } = linked;
  const idProblem = valueProblem(id);
  if (idProblem !== null) return [{ part: ['id'], problem: idProblem, columns: link }];
  const faults: LinkFault[] = [];
  if (!isTextOrNull(title))
    faults.push({
      part: ['title'],
      problem: `expected text, got ${shown(title)}`,
      columns: ['title'],
    });
  const labelsProblem = isNullish(labels) ? null : problemOfLabels(labels);
  if (labelsProblem !== null)
    faults.push({ part: ['labels'], problem: labelsProblem, columns: ['labels'] });
  if (!isNullish(campaign)) faults.push(...campaignFaults(campaign));
  return faults;
}

function problemOfLabels(labels: unknown): string | null {
  if (!Array.isArray(labels)) return `expected an array, got ${shown(labels)}`;
  const isLabel = (label: unknown) =>
    isRecord(label) &&
    typeof (label['labelId'] ?? label['id']) === 'string' &&
    isTextOrNull(label['name']);
  return labels.every(isLabel) ? null : 'expected objects with a labelId and a name';
}

function campaignFaults(campaign: unknown): LinkFault[] {
  const columns = ['campaign_id'];
  if (!isRecord(campaign))
    return [{ part: ['campaign'], problem: `expected an object, got ${shown(campaign)}`, columns }];
  const { id, name } = campaign;
  const idProblem = valueProblem(id);
  if (idProblem !== null) return [{ part: ['campaign', 'id'], problem: idProblem, columns }];
  if (isTextOrNull(name)) return [];
  return [{ part: ['campaign', 'name'], problem: `expected text, got ${shown(name)}`, columns }];
}

function nameProblem(field: string, value: unknown): string | null {
  const problem = valueProblem(value);
  return problem && `${field}: ${problem}`;
}

function valueProblem(value: unknown): string | null {
  if (isNullish(value)) return 'missing';
  if (typeof value !== 'string') return `expected text, got ${shown(value)}`;
  return value.trim() === '' ? 'empty' : null;
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
