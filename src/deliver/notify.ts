import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config, NotifyCondition, NotifyRule } from '../config/config.ts';
import type { Secret } from '../config/secret.ts';
import { addressBelow } from '../core/address.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage } from '../core/errors.ts';
import { namesIn, readIfPresent } from '../core/found-files.ts';
import { parsedJson } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import { problemText } from '../core/machine-problem.ts';
import { failureIn } from './chat-answer.ts';
import { fetchOutside } from './fetch-outside.ts';
import { sendText } from './smtp.ts';

const heldSuffix = '~held';
const reminderMs = 86_400_000;
const maxCharacters = 2_000;
const maxAnswerCharacters = 200;
/** A shorter part of an address is a word such as `hook`. */
const minSecretLength = 6;

/** The state of a job, or the finding of an alert. */
export interface JobNews {
  /** The job's name, or `alert <name>`. */
  readonly job: string;
  readonly state: Exclude<NotifyCondition, 'recovered'> | 'ok';
  /** The lines that say what happened. */
  readonly text: string;
  /** True if something happened that no earlier notification of the same state can have mentioned. */
  readonly isNew?: boolean;
}

export interface NotifyTools {
  readonly config: Pick<Config, 'dataDir' | 'mail' | 'notify'>;
  readonly clock: Clock;
  readonly log: Log;
}

const conditions = ['held', 'failed', 'partial', 'warning', 'stale', 'alert', 'recovered'] as const;

/** The last notification of each rule, by the rule's hash, and one that could not be sent. */
const lastSentSchema = z.record(
  z.string(),
  z.object({
    state: z.string().nullable(),
    at: z.string(),
    unsent: z
      .object({ state: z.string(), condition: z.enum(conditions), text: z.string() })
      .optional(),
  }),
);
type LastSent = z.output<typeof lastSentSchema>;

/**
 * Sends a notification when a job's state changes, a reminder for each further day that it lasts, and another
 * notification when the job recovers. A notification that cannot be sent is logged, and sent by {@link sendUnsent} or
 * with the next one.
 */
export async function notifyOf(news: JobNews, tools: NotifyTools): Promise<void> {
  const { config, clock, log } = tools;
  const { dataDir, notify: rules } = config;
  if (rules.length === 0) return;
  // what waits for a person says nothing about the state of its job
  const suffix = news.state === 'held' ? heldSuffix : '';
  const path = join(notifyFolder(dataDir), `${news.job.replaceAll(' ', '~')}${suffix}.json`);
  const lastSent = await readLastSent(path);
  const next: LastSent = { ...lastSent };
  for (const rule of rules) {
    const key = ruleKey(rule);
    const state = stateFor(rule, news);
    const wanted = conditionToSend(
      rule,
      state,
      news.isNew ? undefined : lastSent[key],
      clock.now(),
    );
    const { unsent, ...last } = lastSent[key] ?? { state: null, at: '' };
    if (wanted === null) {
      // what could not be sent is over
      if (unsent && state === 'ok') next[key] = last;
      continue;
    }
    const problem = await send(rule, { ...news, condition: wanted }, tools);
    next[key] =
      problem === null
        ? { state, at: clock.now().toISOString() }
        : { ...last, unsent: { state, condition: wanted, text: news.text } };
    if (problem !== null)
      log.warn(
        { job: news.job },
        `the notification that ${news.job} ${conditionWords[wanted]} was not sent: ${problem}`,
      );
  }
  if (JSON.stringify(next) !== JSON.stringify(lastSent))
    await writeFileAtomic(path, JSON.stringify(next));
}

/** Notifies, or warns where that fails, which costs a run nothing. */
export async function notifyOrWarn(news: JobNews, tools: NotifyTools): Promise<void> {
  await notifyOf(news, tools).catch((error: unknown) => {
    tools.log.warn({ job: news.job }, `notifications were not sent: ${problemText(error)}`);
  });
}

/**
 * Returns the state that counts for the rule. A rule without `warning` takes warnings for success. An alert
 * with other rows, in whatever order DuckDB returns them, is another alert.
 */
function stateFor({ when }: NotifyRule, { state, text }: JobNews): string {
  if (state === 'warning' && !when.includes('warning')) return 'ok';
  return state === 'alert' ? `alert ${hashOf(text.split('\n').sort().join('\n'))}` : state;
}

/** Returns null if nothing is to be sent now. */
function conditionToSend(
  { when }: NotifyRule,
  state: string,
  last: LastSent[string] | undefined,
  now: Date,
): NotifyCondition | null {
  if (state === 'ok')
    return ![undefined, null, 'ok'].includes(last?.state) && when.includes('recovered')
      ? 'recovered'
      : null;
  const condition = when.find((name) => name === state.split(' ')[0]);
  if (condition === undefined) return null;
  const isNew = last?.state !== state || now.getTime() - Date.parse(last.at) >= reminderMs;
  return isNew ? condition : null;
}

/**
 * Sends the notifications that could not be sent.
 * @returns a sentence for each that was sent, and for each that failed again
 */
export async function sendUnsent(
  tools: NotifyTools,
): Promise<{ sent: string[]; problems: string[] }> {
  const { config, clock } = tools;
  const { dataDir, notify: rules } = config;
  const [sent, problems]: [string[], string[]] = [[], []];
  for (const name of await namesIn(notifyFolder(dataDir), '.json')) {
    const path = join(notifyFolder(dataDir), name);
    const lastSent = await readLastSent(path);
    const known = name.slice(0, -'.json'.length);
    for (const rule of rules) {
      const { unsent } = lastSent[ruleKey(rule)] ?? {};
      if (!unsent) continue;
      const { state, condition, text } = unsent;
      const own = condition === 'held' ? known.slice(0, -heldSuffix.length) : known;
      const job = own.replaceAll('~', ' ');
      const problem = await send(rule, { job, state: 'ok', condition, text }, tools);
      const words = `the notification that ${job} ${conditionWords[condition]}`;
      if (problem === null) {
        sent.push(`sent ${words}`);
        lastSent[ruleKey(rule)] = { state, at: clock.now().toISOString() };
        await writeFileAtomic(path, JSON.stringify(lastSent));
      } else problems.push(`${words} was not sent: ${problem}`);
    }
  }
  return { sent, problems };
}

function notifyFolder(dataDir: string): string {
  return join(dataDir, 'notify');
}

/**
 * Sends a test notification for every rule.
 * @returns one sentence for each rule that failed
 */
export async function testNotify(tools: NotifyTools): Promise<string[]> {
  const problems: string[] = [];
  for (const rule of tools.config.notify) {
    const text = 'This is a test of notify in jobs.yaml.';
    const problem = await send(
      rule,
      { job: 'test', state: 'ok', condition: 'recovered', text },
      tools,
    );
    if (problem !== null) problems.push(problem);
  }
  return problems;
}

/**
 * Tells one reader of a rule that something of a job waits for a person.
 * @returns the problem, or null on success
 */
export function notifyReader(
  to: NotifyRule['to'],
  notice: { readonly job: string; readonly title?: string; readonly text: string },
  tools: NotifyTools,
): Promise<string | null> {
  return send({ to }, { ...notice, state: 'held', condition: 'held' }, tools);
}

interface Message extends JobNews {
  readonly condition: NotifyCondition;
  /** Left out: it says what the job did. */
  readonly title?: string;
}

/**
 * Sends a notification.
 * @returns the problem, or null on success
 */
async function send(
  { to }: Pick<NotifyRule, 'to'>,
  message: Message,
  tools: NotifyTools,
): Promise<string | null> {
  const { title = `postledger: ${message.job} ${conditionWords[message.condition]}` } = message;
  const text = message.text.slice(0, maxCharacters);
  if ('post' in to) {
    const { job, condition: state } = message;
    const at = tools.clock.now().toISOString();
    const body = { slack: slackBody, teams: teamsBody, json: () => ({ job, state, text, at }) }[
      to.as
    ];
    const posted = { method: 'POST', body: JSON.stringify(body(title, text)) };
    return request(to.post, null, posted, (answer) => failureIn(answer, title));
  }
  const problems: string[] = [];
  for (const address of to.mail) {
    const problem = await mailTo(address, title, text, tools);
    if (problem !== null) problems.push(`${address}: ${problem}`);
  }
  return problems.length === 0 ? null : problems.join('; ');
}

const conditionWords: Readonly<Record<NotifyCondition, string>> = {
  failed: 'failed',
  partial: 'partly failed',
  warning: 'has warnings',
  stale: 'is stale',
  alert: 'has new rows',
  recovered: 'has recovered',
  held: 'waits for a person',
};

function slackBody(title: string, text: string) {
  const escape = (part: string) =>
    part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { text: `*${escape(title)}*\n${escape(text)}` };
}

/** Returns an Adaptive Card, which Teams workflows accept. */
function teamsBody(title: string, text: string) {
  const body = [
    { type: 'TextBlock', text: title, weight: 'Bolder', wrap: true },
    { type: 'TextBlock', text, wrap: true },
  ];
  const content = { type: 'AdaptiveCard', version: '1.4', body };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, content }] };
}

async function mailTo(
  address: string,
  title: string,
  text: string,
  { config: { mail }, clock }: NotifyTools,
): Promise<string | null> {
  if (mail === null) return 'jobs.yaml has no mail server';
  const words = { subject: title, text: `${text}\n` };
  const { state, reason } = await sendText(mail, address, words, clock);
  return state === 'sent' ? null : reason;
}

/**
 * Pings a monitor at its address, whose path gets the suffix.
 * @returns the problem, or null on success
 */
export function ping(address: Secret, suffix: string): Promise<string | null> {
  return request(address, suffix, { method: 'GET' });
}

/**
 * Sends a request to the address, or below it. It is a secret, so no message contains it.
 * @param failureOf returns what the body of an answer says of a failure; null: it says of none
 */
async function request(
  address: Secret,
  suffix: string | null,
  init: { readonly method: string; readonly body?: string },
  failureOf: (body: string) => string | null = () => null,
): Promise<string | null> {
  const base = address.isSet ? address.reveal() : '';
  if (!URL.canParse(base) || !/^https?:/.test(base))
    return `${address.variable} holds no http or https address`;
  try {
    const answer = await fetchOutside(suffix === null ? base : addressBelow(base, suffix).href, {
      ...init,
      ...(init.body !== undefined && { headers: { 'content-type': 'application/json' } }),
    });
    const answers = `the address in ${address.variable} answers with HTTP ${answer.status}`;
    if (!answer.ok) return answers;
    const failure = failureOf(answer.text);
    return failure === null ? null : `${answers}, but says: ${withoutAddress(failure, base)}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error;
    return `the address in ${address.variable} cannot be reached (${errorMessage(cause)})`;
  }
}

/** Hides the parts of a secret address that an answer quotes. */
function withoutAddress(text: string, address: string): string {
  const { pathname, searchParams, username, password } = new URL(address);
  const parts = [...pathname.split('/'), ...searchParams.values(), username, password];
  const secrets = [address, ...parts.flatMap((part) => [part, decoded(part)])]
    .filter(({ length }) => length >= minSecretLength)
    .sort((a, b) => b.length - a.length);
  const hidden = secrets.reduce((shown, secret) => shown.replaceAll(secret, '[address]'), text);
  return hidden.slice(0, maxAnswerCharacters);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns a key that stays the same as long as the rule asks for the same. */
function ruleKey({ when, to }: NotifyRule): string {
  const whom = 'post' in to ? [to.post.variable, to.as] : to.mail;
  return hashOf(JSON.stringify([when, whom]));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Reads the last notifications. A damaged file counts as none. */
async function readLastSent(path: string): Promise<LastSent> {
  return lastSentSchema.catch({}).parse(parsedJson((await readIfPresent(path)) ?? ''));
}
