import { InvalidArgumentError, type Command } from '@commander-js/extra-typings';
import { addDays, endOfDay } from '../core/calendar.ts';
import { exitCodes } from '../core/errors.ts';
import {
  eventOutcomes,
  readReceivedEvents,
  type EventQuery,
  type ReceivedEvent,
} from '../load/received-events.ts';
import type { Invoke } from './context.ts';
import {
  collect,
  deadlineTime,
  parseDeadline,
  parseLimit,
  parseWord,
  type Deadline,
} from './option-values.ts';
import { eventsView } from './views/events-view.ts';
import { parseExactly } from './views/exact-json.ts';

const defaultLimit = 50;

/** Adds `webhooks list` to the group of webhook commands. */
export function registerList(webhooks: Command, invoke: Invoke): void {
  webhooks
    .command('list')
    .description('show what came in and what became of it, the newest first')
    .option('--type <type>', 'events of this type; may be repeated', collect)
    .option('--outcome <outcome>', `one of ${eventOutcomes.join(', ')}`, (text) =>
      parseWord(text, eventOutcomes),
    )
    .option('--workspace <name>', "a workspace's key in jobs.yaml, or its slug")
    .option(
      '--since <time>',
      'received from then on: a day in `timezone`, or ISO 8601',
      parseDeadline,
    )
    .option('--until <time>', 'received until then, that day included', parseDeadline)
    .option('--key <hex>', 'the event whose key begins so, as the log has it', parseKey)
    .option('--limit <count>', 'how many of the newest; 0: all', parseLimit, defaultLimit)
    .option('--json', 'as JSON, with what was sent')
    .addHelpText(
      'after',
      `
Outcomes: applied; kept (its type is not known, or its workspace not configured); rejected (it does not
fit its type); pending (in the inbox, the next load takes it in).

Examples:
  $ postledger webhooks list
  $ postledger webhooks list --outcome rejected --since 2026-11-01
  $ postledger webhooks list --type post.permanently_deleted --limit 0 --json`,
    )
    .action((options) =>
      invoke(async ({ loadConfig, output, clock, log }) => {
        const config = await loadConfig();
        const { timezone, locale } = config;
        const { events, hasMore } = await readReceivedEvents(config, queryOf(options, timezone));
        if (options.json) output.write(`${JSON.stringify(events.map(whole), null, 2)}\n`);
        else
          output.write(
            `${eventsView(events, { ...output, timezone, locale, now: clock.now() })}\n`,
          );
        if (hasMore) log.info({}, `these are the newest ${events.length}; --limit 0 shows all`);
        return exitCodes.done;
      }),
    );
}

interface ListOptions {
  readonly type?: string[] | undefined;
  readonly outcome?: EventQuery['outcome'] | undefined;
  readonly workspace?: string | undefined;
  readonly since?: Deadline | undefined;
  readonly until?: Deadline | undefined;
  readonly key?: string | undefined;
  readonly limit: number;
}

function queryOf(options: ListOptions, timezone: string): EventQuery {
  const { key, type, outcome, workspace, since, until, limit } = options;
  return {
    key: key ?? '',
    types: type ?? [],
    outcome: outcome ?? null,
    workspace: workspace ?? null,
    since: since === undefined ? null : firstMoment(since, timezone),
    until: until === undefined ? null : new Date(deadlineTime(until, timezone)),
    limit: limit === 0 ? null : limit,
  };
}

function whole({ payload, ...event }: ReceivedEvent): object {
  return { ...event, payload: parseExactly(payload) };
}

function parseKey(text: string): string {
  if (/^[0-9a-f]{1,64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('Give the beginning of a key, up to 64 hexadecimal digits.');
}

function firstMoment(since: Deadline, timezone: string): Date {
  if ('instant' in since) return since.instant;
  return new Date(endOfDay(addDays(since.day, -1), timezone).getTime() + 1);
}
