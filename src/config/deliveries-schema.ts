import { z } from 'zod';
import type { ClientConfig, ParsedClients } from './clients-schema.ts';
import { clientPlaceholder, commentFor, commentSchema } from './comment-schema.ts';
import type { ConfigPath, Finding } from './config-error.ts';
import type { Frozen } from './frozen.ts';
import { readerCopyKeys, readerCopyOf } from './reader-copy.ts';
import {
  addressIn,
  bodyRule,
  bound,
  comparableAddress,
  endpointRule,
  fileRule,
  mailboxRule,
  outRule,
  quote,
  subjectRule,
  text,
} from './value-kinds.ts';

/** The formats that are a single file, which a mail can carry. */
const attachedFormats = ['pdf', 'xlsx', 'html'] as const;

const s3TargetSchema = z.strictObject({
  bucket: text('The bucket'),
  prefix: text(
    'The beginning of object keys, with the placeholders of `out`; default: {report}-{to}/, for clients {client}/{report}-{to}/',
    outRule,
  ).optional(),
  endpoint: text('The address of a server other than Amazon’s', endpointRule).optional(),
  region: text('The region, such as eu-central-1; default: us-east-1').optional(),
});

const deliveryKeys = z.strictObject({
  mail: z
    .union([
      z.literal('client'),
      z.array(text('An address, or "Name <address>"', mailboxRule)).min(1),
    ])
    .describe('Sends a mail to client (the addresses in its `to`), or to these addresses')
    .optional(),
  s3: s3TargetSchema.describe('Uploads the files to object storage').optional(),
  command: z
    .array(text('The program or an argument, with {folder} and the placeholders of `out`'))
    .min(1)
    .describe('Runs a program of yours, which finds the files in {folder}')
    .optional(),
  name: text(
    'A name that tells this delivery from another one of the same reports to the same recipient',
  ).optional(),
  subject: text(
    'The subject of a mail, with the placeholders {client} {report} {period} {from} {to} {job}; default: {client}, LinkedIn: {report}, {period}',
    subjectRule,
  ).optional(),
  body: text(
    'A Markdown file that is put above the figures of a mail, with the placeholders of `subject` in its text, and {client} (its key) and {language} in its path',
    bodyRule,
  ).optional(),
  comment: commentSchema.optional(),
  ...readerCopyKeys,
  attach: z
    .array(z.enum(attachedFormats))
    .describe(
      'The formats to attach; default: none for mail, otherwise all files. If a mail would be too large, the last ones are left out',
    )
    .optional(),
  file: text(
    'The name of attached files without their extension, with the placeholders {client} {report} {period} {from} {to} {job}; default: {client}-{report}-{period}, with the filters of a report behind',
    fileRule,
  ).optional(),
  hold: z
    .boolean()
    .describe('True to wait for approval by `postledger deliver approve`')
    .default(false),
  if_empty: z
    .enum(['send', 'skip'])
    .describe('The action for a report without posts, or for several if none of them has posts')
    .default('send'),
  when_incomplete: z
    .enum(['hold', 'send', 'skip'])
    .describe(
      'The action for a report over days that were not read: wait until they are read, send it marked as incomplete, or skip it',
    )
    .default('hold'),
});

export const deliverySchema = bound(
  deliveryKeys,
  ({ mail, s3, command, subject, body }, report) => {
    const targets = [mail, s3, command].filter((target) => target !== undefined);
    if (targets.length !== 1) report([], 'must have one of mail, s3 and command');
    if (mail === undefined && (subject !== undefined || body !== undefined))
      report([], 'has a subject or body, which only mail deliveries have');
  },
);

export type ParsedDelivery = z.output<typeof deliverySchema>;

export interface DeliveryConfig extends Frozen<ReturnType<typeof deliveryFor>> {}

/** What turns a delivery, as it is written, into that of a client, or into that of none. */
export interface General {
  /** The language of reports for no client. */
  readonly language: string;
  /** Returns the absolute path of a file. */
  readonly absolute: (path: string) => string;
}

export function deliveryFor(
  delivery: ParsedDelivery,
  client: ClientConfig | null,
  general: General,
) {
  const { mail, attach, file } = delivery;
  return {
    target: targetFor(delivery, client, general),
    /** Tells it from another one of the same reports to the same recipient; null: there is none. */
    name: delivery.name ?? null,
    /** Its own comment; null for those of its reports. */
    comment: commentFor(delivery.comment, client, general.absolute),
    /** What its recipient gets of its reports; what it leaves out is as these have it. */
    copy: readerCopyOf(delivery),
    /** The formats to attach; null for all files of the report. */
    attach: attach ? [...new Set(attach)] : mail ? [] : null,
    /** Set when the delivery waits for approval. */
    isHeld: delivery.hold,
    /** Set when a report without posts is not sent. */
    skipsEmpty: delivery.if_empty === 'skip',
    /** The action for a report over days that were not read. */
    whenIncomplete: delivery.when_incomplete,
    /** The name of attached files, with placeholders; null to keep the report's names. */
    file: file ?? (mail ? `${client ? '{client}-' : ''}{report}-{period}{selection}` : null),
  };
}

function targetFor(
  { mail = [], s3, command, subject, body }: ParsedDelivery,
  client: ClientConfig | null,
  { language, absolute }: General,
) {
  // a program and its arguments, with `{folder}` and the placeholders of `out`
  if (command) return { kind: 'command' as const, command };
  if (s3) {
    const { bucket, prefix, endpoint, region } = s3;
    return {
      kind: 's3' as const,
      bucket,
      /** The beginning of the objects' keys, with the placeholders of `out`. */
      prefix: prefix ?? `${client ? '{client}/' : ''}{report}-{to}/`,
      /** The server's address; null for Amazon S3. */
      endpoint: endpoint ?? null,
      region: region ?? null,
    };
  }
  const path = body
    ?.replaceAll(clientPlaceholder, client?.key ?? '')
    .replaceAll('{language}', client?.language ?? language);
  return {
    kind: 'mail' as const,
    /** The addresses, alone or as `Name <address>`, each of which gets its own message. */
    to: mailboxesOf((mail === 'client' ? client?.to : mail) ?? []),
    /** A text with the placeholders `{client} {report} {period} {from} {to} {job}`. */
    subject: subject ?? `${client ? '{client}, ' : ''}LinkedIn: {report}, {period}`,
    /** The absolute path of a Markdown file that is put above the figures; null if there is none. */
    body: path === undefined ? null : absolute(path),
  };
}

/** Each address once, with the name that it has anywhere. */
function mailboxesOf(listed: readonly string[]): string[] {
  const byAddress = new Map<string, string>();
  for (const mailbox of listed) {
    const address = comparableAddress(mailbox);
    if (mailbox !== addressIn(mailbox) || !byAddress.has(address)) byAddress.set(address, mailbox);
  }
  return [...byAddress.values()];
}

/** The reports that deliveries carry: those of a job, or one. */
export interface Carried {
  readonly formats: readonly string[];
  /** The keys of the reports' clients, of which a report for no client has none. */
  readonly clients: readonly string[];
  /** The clause that says that the reports are for no client; null if they are for some. */
  readonly noClient: string | null;
}

/** Refuses what a delivery cannot do with its reports. @param path the path of the delivery */
export function deliveryFindings(
  { mail, s3, body, comment, attach = [] }: ParsedDelivery,
  path: ConfigPath,
  { formats, clients: keys, noClient }: Carried,
  { clients, hasServer }: { readonly clients: ParsedClients; readonly hasServer: boolean },
): Finding[] {
  const at = (key: string, message: string) => ({ path: [...path, key], message });
  const missing = attach.find((format) => !formats.includes(format));
  const problems = noClient
    ? [`but ${noClient}; add for: each`]
    : keys
        .filter((key) => clients[key]?.to.length === 0)
        .map((key) => `but the client ${quote(key)} has no addresses in to`);
  return [
    ...(mail && !hasServer ? [at('mail', noServer)] : []),
    ...(noClient ? placeholderFindings({ comment: comment?.file, body }, path, noClient) : []),
    ...(noClient ? [] : placeholderFindings({ prefix: s3?.prefix }, [...path, 's3'], null)),
    ...(missing ? [at('attach', `has ${quote(missing)}, which is not in formats`)] : []),
    ...(mail === 'client' ? problems.map((problem) => at('mail', `is client, ${problem}`)) : []),
  ];
}

export const noServer = 'needs an SMTP server; add mail at the top level';

/**
 * Refuses the placeholder of clients in texts about reports that are for no client, and texts of clients without it, which
 * would put the files of several into one folder.
 * @param texts by their keys below the path
 */
export function placeholderFindings(
  texts: Readonly<Record<string, string | undefined>>,
  path: ConfigPath,
  noClient: string | null,
): Finding[] {
  const message = noClient
    ? `has ${clientPlaceholder}, but ${noClient}; add for: each`
    : `must have ${clientPlaceholder}: each client gets its own files`;
  return Object.entries(texts)
    .filter(([, written]) => written?.includes(clientPlaceholder) === (noClient !== null))
    .map(([key]) => ({ path: [...path, key], message }));
}
