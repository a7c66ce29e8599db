import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Config } from '../config/config.ts';
import { didYouMean } from '../core/nearest.ts';
import { addDays, endOfDay } from '../core/calendar.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import { fieldOf } from '../core/json.ts';
import {
  discardEvents,
  eventOutcomes,
  listEventWorkspaces,
  readReceivedEvents,
  type ReceivedEvent,
} from '../status/received-events.ts';
import { load, replayEvents, type ReplaySummary } from '../load/load.ts';
import { printResult, type Register } from './context.ts';
import {
  collect,
  deadlineTime,
  oneOf,
  parseDeadline,
  repeated,
  waitOption,
  wholeNumber,
  type Deadline,
} from './option-values.ts';
import { printListing, type Listing } from './listing.ts';
import type { Colors } from './view.ts';
import type { Paint } from '../render/terminal-columns.ts';
import { plural, shortTime, thousands } from '../core/wording.ts';
import { eventsClause } from '../load/load-summary.ts';

export const registerList: Register = (webhooks, invoke) => {
  webhooks
    .command('list')
    .description('show the events that came in, with their outcomes, the newest first')
    .option('--type <type>', 'events of this type; may be repeated', collect)
    .option(
      '--outcome <outcome>',
      `one of ${eventOutcomes.join(', ')}; may be repeated`,
      repeated(oneOf(eventOutcomes)),
    )
    .option('--workspace <name>', "a workspace's key in jobs.yaml, or its slug")
    .option(
      '--since <time>',
      'received from then on: a day in `timezone`, or ISO 8601',
      parseDeadline,
    )
    .option('--until <time>', 'received until then, that day included', parseDeadline)
    .option('--key <hex>', 'the event whose key begins so, as the log has it', parseKey)
    .option('--limit <count>', 'how many of the newest; 0: all', wholeNumber(0), 50)
    .option('--json', 'as JSON, with what was sent')
    .addHelpText(
      'after',
      `
Outcomes: applied; kept (its type is not known, or its workspace not configured); rejected (it does not
fit its type); pending (on disk, the next load takes it).

Examples:
  $ postledger webhooks list
  $ postledger webhooks list --outcome rejected --since 2026-11-01
  $ postledger webhooks list --type post.permanently_deleted --limit 0 --json`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, output, log }) => {
        const config = await loadConfig();
        const { timezone } = config;
        const { since, until, limit } = options;
        const { events, hasMore } = await readReceivedEvents(config, {
          key: options.key ?? '',
          types: options.type ?? [],
          outcomes: options.outcome ?? [],
          workspace: options.workspace ?? null,
          since: since === undefined ? null : firstMoment(since, timezone),
          until: until === undefined ? null : new Date(deadlineTime(until, timezone)),
          limit: limit === 0 ? null : limit,
        });
        if (events.length === 0) await requireWorkspace(config, options.workspace);
        printListing(output, options, eventListing(events, timezone), events.map(withPayload));
        if (hasMore) log.info({}, `these are the newest ${events.length}; --limit 0 shows all`);
        return exitCodes.done;
      }),
    );
};

function withPayload({ payload, ...event }: ReceivedEvent): object {
  return { ...event, payload: parseExactly(payload) };
}

/** @throws UsageError for a name that neither jobs.yaml nor any event has */
async function requireWorkspace(config: Config, name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const known = await listEventWorkspaces(config);
  if (known.has(name)) return;
  const hint =
    didYouMean(name, known) || `jobs.yaml has ${[...config.workspaces.keys()].join(', ')}`;
  throw new UsageError(
    `no workspace ${JSON.stringify(name)} in ${config.file}, nor in any loaded event; ${hint}`,
  );
}

function parseKey(text: string): string {
  if (/^[0-9a-f]{1,64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('Give the beginning of a key, up to 64 hexadecimal digits.');
}

function firstMoment(since: Deadline, timezone: string): Date {
  if ('instant' in since) return since.instant;
  return new Date(endOfDay(addDays(since.day, -1), timezone).getTime() + 1);
}

/** Texts, which are passed over, and numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON. Numbers that a double cannot hold become their text: `"9007199254740993"`. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text.replace(tokens, (token) => (isTooLarge(token) ? `"${token}"` : token)));
}

function isTooLarge(token: string): boolean {
  if (token.startsWith('"')) return false;
  const value = Number(token);
  return /[.eE]/.test(token) ? !Number.isFinite(value) : !Number.isSafeInteger(value);
}

/** Enough to find it by, in `webhook_events` and in --json. */
const keyDigits = 12;
/** Enough to tell most types, workspaces, subjects and reasons. */
const minWidth = 40;

export function eventListing(
  rows: readonly ReceivedEvent[],
  timezone: string,
): Listing<ReceivedEvent> {
  return {
    rows,
    columns: [
      ['Received', (event) => shortTime(event.received_at, timezone)],
      ['Type', ({ type }) => type, { minWidth }],
      [
        'Workspace',
        (event) => event.workspace ?? event.workspace_slug ?? event.workspace_id,
        { minWidth },
      ],
      ['What', subjectOf, { minWidth }],
      ['Outcome', ({ outcome }) => outcome, { paint: outcomePaint }],
      ['Reason', ({ reason }) => reason, { minWidth }],
      ['Key', (event) => event.event_key.slice(0, keyDigits)],
    ],
    empty: 'No events.',
    ifTooWide: 'blocks',
  };
}

function outcomePaint({ outcome }: ReceivedEvent, { red, yellow, dim }: Colors): Paint {
  return { applied: String, kept: dim, rejected: red, pending: yellow }[outcome];
}

/** Returns the name by which people know the event's subject: a post's title, an invited person's address. */
function subjectOf({ payload }: ReceivedEvent): string | undefined {
  const data = fieldOf(JSON.parse(payload), 'data');
  const names = [
    fieldOf(fieldOf(data, 'post'), 'title'),
    fieldOf(fieldOf(data, 'invite'), 'email'),
  ];
  return names.find((value) => typeof value === 'string');
}

export const registerReplay: Register = (webhooks, invoke) => {
  webhooks
    .command('replay')
    .description('read loaded events again from their files, after an upgrade')
    .option('--rejected', 'only those that were rejected')
    .addOption(waitOption())
    .option('--json', 'the summary as JSON')
    .addHelpText(
      'after',
      `
Doing it again changes nothing. A change of slugs in jobs.yaml needs no replay: the next load applies it.

Examples:
  $ postledger webhooks replay --rejected
  $ postledger webhooks replay --wait 60 --json`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, clock, log, signal, output }) => {
        const config = await loadConfig();
        const waitMs = options.wait * 1000;
        const isRejectedOnly = options.rejected === true;
        const summary = await replayEvents({ config, clock, log, waitMs, signal }, isRejectedOnly);
        printResult(output, options, summary, replaySentence);
        return exitCodes.done;
      }),
    );
};

export const registerDiscard: Register = (webhooks, invoke) => {
  webhooks
    .command('discard')
    .description('never apply events that were rejected or kept, and say no more of them')
    .argument('<key...>', 'events, by the beginnings of their keys; see: postledger webhooks list')
    .addOption(waitOption())
    .addHelpText(
      'after',
      `
The events stay on disk, with the reason that they were discarded.

Example:
  $ postledger webhooks discard 3f2a91`,
    )
    .action((keys, options) =>
      invoke(async ({ loadConfig, clock, log, signal, output }) => {
        const config = await loadConfig();
        const events = await Promise.all(keys.map((key) => unappliedEvent(config, key)));
        await discardEvents(config.dataDir, events, clock);
        await load({ config, clock, log, waitMs: options.wait * 1000, signal });
        output.write(`${plural(events.length, 'event')} discarded.\n`);
        return exitCodes.done;
      }),
    );
};

/** @throws UsageError unless there is exactly one whose key begins so */
async function unappliedEvent(config: Config, key: string): Promise<ReceivedEvent> {
  const any = { types: [], workspace: null, since: null, until: null, limit: null };
  const outcomes = ['rejected', 'kept'] as const;
  const { events } = await readReceivedEvents(config, { ...any, key, outcomes });
  const [event, ...others] = events;
  if (event && others.length === 0) return event;
  const problem = event
    ? 'several events that were rejected or kept have keys that begin'
    : 'no event that was rejected or kept has a key that begins';
  throw new UsageError(
    `${problem} with ${key}; see: postledger webhooks list --outcome rejected --outcome kept`,
  );
}

/** One line that says what a replay did. */
export function replaySentence(summary: ReplaySummary): string {
  if (summary.events === 0) return 'No events to replay.\n';
  const changed = summary.changed === 0 ? 'none changed' : `${thousands(summary.changed)} changed`;
  return `${plural(summary.events, 'event')} replayed, ${changed}. Now: ${eventsClause(summary)}.\n`;
}
