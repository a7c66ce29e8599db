import { InvalidArgumentError, type Command } from '@commander-js/extra-typings';
import type { Config } from '../config/config.ts';
import { didYouMean } from '../config/nearest.ts';
import { addDays, endOfDay } from '../core/calendar.ts';
import { exitCodes, UsageError } from '../core/errors.ts';
import {
  eventOutcomes,
  listEventWorkspaces,
  readReceivedEvents,
  type EventOutcome,
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
    .option(
      '--outcome <outcome>',
      `one of ${eventOutcomes.join(', ')}; may be repeated`,
      collectOutcome,
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
fit its type); pending (on disk, the next load takes it).

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
        if (events.length === 0) await requireWorkspace(config, options.workspace);
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
  readonly outcome?: EventOutcome[] | undefined;
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
    outcomes: outcome ?? [],
    workspace: workspace ?? null,
    since: since === undefined ? null : firstMoment(since, timezone),
    until: until === undefined ? null : new Date(deadlineTime(until, timezone)),
    limit: limit === 0 ? null : limit,
  };
}

function whole({ payload, ...event }: ReceivedEvent): object {
  return { ...event, payload: parseExactly(payload) };
}

function collectOutcome(text: string, before: EventOutcome[] | undefined): EventOutcome[] {
  return [...(before ?? []), parseWord(text, eventOutcomes)];
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
