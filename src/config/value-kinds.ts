import { domainToASCII } from 'node:url';
import { Cron } from 'croner';
import { z } from 'zod';
import { isDay } from '../core/calendar.ts';
import { errorMessage } from '../core/errors.ts';
import { isLoopback } from '../core/loopback.ts';
import { languageCodes } from '../languages/phrases.ts';
import type { ConfigPath } from './config-error.ts';
import { didYouMean } from '../core/nearest.ts';
import { isRecord } from '../core/json.ts';
import { Secret } from './secret.ts';

/** A problem of a single text. */
interface Complaint {
  /** A clause such as `must be …`, which does not repeat the text. */
  readonly must: string;
  /** Advice, which is printed after the text. */
  readonly hint?: string;
}

/** A check that returns null for a valid text. A rule that is only a pattern gives editors that `pattern`. */
type LeafRule = ((text: string) => Complaint | null) & { readonly pattern?: RegExp };

function matching(pattern: RegExp, must: string): LeafRule {
  return Object.assign((text: string) => (pattern.test(text) ? null : { must }), { pattern });
}

const timeZoneRule: LeafRule = (text) => {
  // Intl also accepts offsets such as +02:00, which other readers of the zone do not.
  if (/^[A-Za-z]/.test(text) && isKnownToIntl(text)) return null;
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return { must: 'must be an IANA time zone such as Europe/Berlin', hint: didYouMean(text, known) };
};

export const currencyRule: LeafRule = (text) => {
  const known = Intl.supportedValuesOf('currency');
  if (known.includes(text)) return null;
  const upper = known.filter((code) => code === text.toUpperCase());
  return { must: 'must be an ISO 4217 code such as EUR', hint: didYouMean(text, upper) };
};

export const localeRule: LeafRule = (text) => {
  if (isLocale(text)) return null;
  const dashed = [text.replaceAll('_', '-')].filter(isLocale);
  return { must: 'must be a language tag such as en-GB', hint: didYouMean(text, dashed) };
};

export const languageRule: LeafRule = (text) => {
  const known = languageCodes();
  return known.includes(text) ? null : { must: `must be one of ${known.join(', ')}` };
};

export const colorRule = matching(/^#[0-9A-Fa-f]{6}$/, 'must be a colour such as "#0b5fa5"');

export const uuidRule = matching(
  /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
  'must be a UUID such as 6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d11',
);

const isRealDay = (text: string) =>
  isDay(text) ? null : { must: 'must be a day of the calendar, as YYYY-MM-DD' };
export const dayRule: LeafRule = Object.assign(isRealDay, { pattern: /^\d{4}-\d{2}-\d{2}$/ });

export const durationRule = matching(
  /^[1-9]\d{0,4}[mhd]$/,
  'must be a number of minutes, hours or days such as 90m, 30h or 2d',
);

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @param text a duration that matches `durationRule` */
export function durationMs(text: string): number {
  return Number.parseInt(text, 10) * (unitMs[text.slice(-1)] ?? Number.NaN);
}

export const pathRule: LeafRule = (text) =>
  text.startsWith('~') ? { must: 'must be a path without ~', hint: 'use ${HOME}' } : null;

export const bucketRule = matching(
  /^s3:\/\/[a-z0-9][a-z0-9.-]+\/([\w.-]+\/)*$/,
  'must be a folder of a bucket such as s3://bucket/raw/',
);

const address = /[^\s@<>,;:"()]+@[^\s@<>,;:"()]+/;
export const addressRule = matching(
  new RegExp(`^${address.source}$`),
  'must be a mail address such as ops@example.com',
);
export const mailboxRule = matching(
  new RegExp(`^(?:${address.source}|[^<>\\p{Cc}]+ <${address.source}>)$`, 'u'),
  'must be a mail address such as ops@example.com or "Nord <reports@nord.example>"',
);

/** The address of a mailbox as it is written, `Zoë Berg <zoe@acme.example>` or the address alone. */
export function addressIn(mailbox: string): string {
  return /<([^<>]+)>$/.exec(mailbox)?.[1] ?? mailbox;
}

/** Returns the address as a mail server compares it: its domain in lower case and ASCII. */
export function comparableAddress(mailbox: string): string {
  const address = addressIn(mailbox);
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  return address.slice(0, at) + (domainToASCII(domain) || domain.toLowerCase());
}

export const hostRule = matching(/^[A-Za-z0-9.:-]+$/, 'must be the name or address of a machine');

export const tokenHeaderRule = matching(
  /^[!#$%&'*+.^`|~\w-]+$/,
  'must be the name of an HTTP header',
);

export const baseUrlRule = serviceRule('https://social.example.com/api/v1');
export const endpointRule = serviceRule('https://s3.example.com');

function serviceRule(example: string): LeafRule {
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !['http:', 'https:'].includes(url.protocol))
      return { must: `must be an http or https address such as ${example}` };
    if (hasCredentials(text)) return { must: 'must be an address without a user and a password' };
    // an empty query leaves no trace in the URL
    return /[?#]/.test(text) ? { must: 'must be an address without ? and #' } : null;
  };
}

/** The address must be safe, since whoever reads a link can use it. */
export const publicUrlRule: LeafRule = (text) => {
  const complaint = serviceRule('https://reports.agency.example')(text);
  if (complaint !== null) return complaint;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopback(hostname)
    ? null
    : { must: 'must be an https address, or http on this machine: a link is a key' };
};

/** The address must have no path, since a path would be lost. */
export const baseAddressRule = matching(
  /^https?:\/\/[A-Za-z0-9.:[\]-]+$/,
  'must be an http or https address without a path such as https://s3.example.com',
);

/** The address must be safe, since a secret is sent to it. */
export const tokenUrlRule: LeafRule = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url !== null && isLoopback(url.hostname));
  if (hasCredentials(text)) return { must: 'must be an address without a user and a password' };
  return isSafe ? null : { must: 'must be an https address' };
};

/** True if the text has a user or a password in an address, so that no message may show it. */
export function hasCredentials(text: string): boolean {
  return /\/\/[^/?#]*@/.test(text);
}

export const cronRule: LeafRule = (text) => {
  const fields = text.trim().split(/\s+/).length;
  if (fields !== 5) return { must: 'must be five fields (minute hour day month weekday)' };
  try {
    const next = new Cron(text, { mode: '5-part', paused: true, timezone: 'UTC' }).nextRun();
    return next === null ? { must: 'must match at least one time' } : null;
  } catch (error) {
    const hint = errorMessage(error).replace(/^CronPattern: /, '');
    return { must: 'must be a cron expression', hint };
  }
};

/** The placeholders of `out`. */
export const outPlaceholders = ['report', 'job', 'client', 'from', 'to', 'date'];

export const outRule: LeafRule = (text) =>
  placeholderComplaint(text, outPlaceholders) ?? pathRule(text);

/** The placeholders of the subject and of the text of a mail, and of the names of attached files. */
export const deliveryPlaceholders = ['client', 'report', 'period', 'from', 'to', 'job'];

export const subjectRule: LeafRule = (text) => placeholderComplaint(text, deliveryPlaceholders);

export const bodyRule: LeafRule = (text) =>
  placeholderComplaint(text, ['client', 'language']) ?? pathRule(text);

export const commentRule: LeafRule = (text) =>
  placeholderComplaint(text, ['client', 'period', 'language', 'report', 'job']) ?? pathRule(text);

/** The text must be the name of a file, not a path. */
export const fileRule: LeafRule = (text) =>
  placeholderComplaint(text, deliveryPlaceholders) ??
  (/[\p{Cc}/\\:*?"<>|]|^\.|[. ]$/u.test(text)
    ? {
        must: 'must be the name of a file, without / \\ : * ? " < > | and without a dot at its beginning or end',
      }
    : null);

function placeholderComplaint(text: string, names: readonly string[]): Complaint | null {
  const known = names.map((name) => `{${name}}`);
  const wrong = (text.match(/\{[^{}]*\}/g) ?? []).find((name) => !known.includes(name));
  if (wrong === undefined) return null;
  const must = `must have no placeholders but ${known.join(' ')}`;
  return { must, hint: didYouMean(wrong, known) };
}

/** Accepts patterns that `matchProfiles` reads. */
export function profilePatterns(description: string) {
  return z
    .array(text('<workspace>/<profile name or id or *>', profilePatternRule))
    .min(1)
    .describe(description);
}

export const profilePatternRule = matching(
  /^[^/]+\/./,
  'must be <workspace>/<profile name or id or *>',
);

function isKnownToIntl(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}

/** The pattern of keys of workspaces and jobs, which become names of folders and parts of profile patterns. */
const keyPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Matches `${NAME}` and nothing around it. */
export const secretPattern = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/** Reports a problem at a path below the mapping. */
type Report = (path: ConfigPath, message: string) => void;

/** Adds a rule between the parts of a value, which are valid by themselves where it runs. */
export function bound<Schema extends z.ZodType>(
  schema: Schema,
  rule: (value: z.output<Schema>, report: Report) => void,
): Schema {
  return schema.superRefine((value, context) => rule(value, reportTo(context)), {
    when: ({ issues }) => issues.length === 0,
  });
}

function reportTo(context: z.core.$RefinementCtx): Report {
  return (path, message) => {
    context.addIssue({ code: 'custom', path: [...path], message, params: { isWhole: true } });
  };
}

/**
 * Accepts values by keys of the user's choice. The keys are checked separately, since zod does not check the value
 * of a key that it refuses.
 */
export function keyed<Value extends z.ZodType>(value: Value) {
  const record = z.record(z.string(), value).superRefine(
    (values, context) => {
      for (const key of Object.keys(values).filter((name) => !keyPattern.test(name))) {
        reportTo(context)(
          [key],
          'must be up to 64 letters, digits and . _ - and begin with a letter or a digit',
        );
      }
    },
    { when: (payload) => isRecord(payload.value) },
  );
  return record.meta({ propertyNames: { type: 'string', pattern: keyPattern.source } });
}

/** Accepts text that is not empty and fits the rule. The pattern for editors also accepts a `${VAR}`. */
export function text(description: string, rule?: LeafRule) {
  return z
    .string()
    .min(1)
    .check(({ value, issues }) => {
      const complaint = rule?.(value) ?? null;
      if (complaint === null) return;
      const { must: message, hint } = complaint;
      issues.push({ code: 'custom', message, params: { hint }, input: value });
    })
    .meta(
      rule?.pattern ? { description, pattern: `${rule.pattern.source}|\\$\\{` } : { description },
    );
}

/** Accepts the name of a time zone, and gives it in its usual letter case. */
export function timeZone(description: string) {
  return text(description, timeZoneRule).transform(canonicalTimeZone);
}

/** Intl ignores the letter case, but other readers may not. */
function canonicalTimeZone(given: string): string {
  const { timeZone: found } = new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions();
  return found.toLowerCase() === given.toLowerCase() ? found : given;
}

/** Accepts a secret. `writeOnly` marks it, for `isSecretPath` and in the JSON Schema. */
export function secret(description: string) {
  return oneSecret({ description });
}

/** Accepts one secret or a list, so that both are valid while an old one is replaced by a new one. */
export function secrets(description: string) {
  return z.union([oneSecret(), z.array(oneSecret()).min(1)]).describe(description);
}

function oneSecret(meta: z.core.GlobalMeta = {}) {
  return z
    .unknown()
    .check(({ value, issues }) => {
      if (value instanceof Secret) return;
      issues.push({ code: 'invalid_type', expected: 'string', input: value });
    })
    .meta({
      ...meta,
      type: 'string',
      pattern: secretPattern.source,
      writeOnly: true,
    }) as z.ZodType as z.ZodType<Secret>;
}

export function count(description: string, least: number, most: number) {
  return z.int().min(least).max(most).describe(description);
}

export function amount(description: string) {
  return z.number().min(0).describe(description);
}

/** Returns the indexes of repeated values, each with the index of the first. */
export function repeated(values: readonly string[]): { index: number; first: number }[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return first < index ? [{ index, first }] : [];
  });
}

export function quote(text: string): string {
  return JSON.stringify(text);
}
