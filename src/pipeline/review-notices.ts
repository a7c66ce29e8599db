import { join } from 'node:path';
import { z } from 'zod';
import type { Config, NotifyRule, ReviewConfig } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { dayOf, type Day } from '../core/calendar.ts';
import { readIfPresent } from '../core/found-files.ts';
import { canonicalHash, parsedJson } from '../core/json.ts';
import { withLock } from '../core/lock.ts';
import { groupOf, type Delivery } from '../deliver/delivery.ts';
import { notifyReader, type NotifyTools } from '../deliver/notify.ts';
import { readAllDeliveries } from '../deliver/outbox.ts';
import { linkEnd, reviewLink } from '../deliver/review-link.ts';
import type { FormatterOptions } from '../languages/number-format.ts';
import { linkNotice, readLook, requestForPerson } from './held-news.ts';

type Tools = NotifyTools & { readonly config: Config };

/** Who is told of held mails, and whose links they get; null: a chat for nobody in particular gets none. */
interface Reader {
  readonly to: NotifyRule['to'];
  readonly name: string | null;
}

/** Lists who is told of held mails: the addresses of `to`, and the rules of `notify` with `held`. */
function readersOf({ notify }: Pick<Config, 'notify'>, { to }: ReviewConfig): Reader[] {
  const rules = notify.filter(({ when }) => when.includes('held')).map((rule) => rule.to);
  const addresses = [...to, ...rules.flatMap((each) => ('mail' in each ? each.mail : []))];
  const chats = rules.flatMap((each) => ('post' in each ? [each] : []));
  return [
    ...[...new Set(addresses)].map((address) => ({ to: { mail: [address] }, name: address })),
    ...chats.map((chat) => ({ to: chat, name: chat.name ?? null })),
  ];
}

/** Lists whose links are valid. */
export function linkReaders(config: Pick<Config, 'notify'>, review: ReviewConfig): string[] {
  return [...new Set(readersOf(config, review).flatMap(({ name }) => name ?? []))];
}

/**
 * The last day of the links to a group that are valid today.
 * @param deliveries all that are known: the day on which one of the group was first held counts
 * @returns null if none ever was, or there are no links
 */
export function endOfLinks(
  group: string,
  deliveries: readonly Delivery[],
  today: Day,
  { review, timezone }: Config,
): Day | null {
  const [first] = deliveries
    .filter(({ record }) => groupOf(record) === group)
    .flatMap(({ record, status }) => {
      const heldAt = record.first_held_at ?? (status.state === 'held' ? record.created_at : null);
      return heldAt ?? [];
    })
    .sort();
  if (first === undefined || review === null) return null;
  return linkEnd(dayOf(new Date(first), timezone), today, review);
}

/** Returns true for a mail that a person can look at on a page: not for one that waits only for its day to end. */
function isForReview({ record, status: { state, waits_for: wait } }: Delivery): boolean {
  if (record.target?.kind !== 'mail' || state !== 'held') return false;
  return wait?.kind === 'days' ? wait.are_over : wait?.kind !== 'recipient';
}

/** What has been told, by marks that hold no key. */
const toldSchema = z.record(z.string(), z.string());

/**
 * Tells each reader once of each group of mails that is held, with the link to its page: also a reader who is new, and all
 * where the links have ended or the secret is another. What cannot be sent is sent by the next run or catch-up.
 * @returns a sentence for each notification that was sent
 */
export async function sendReviewNotices(tools: Tools): Promise<string[]> {
  const { config, clock } = tools;
  const { review, dataDir } = config;
  if (review === null) return [];
  const path = join(dataDir, 'review.json');
  const lock = { purpose: 'sending links to held mails', waitMs: 60_000, clock };
  return withLock(join(dataDir, 'locks', 'review.lock'), lock, async () => {
    const told = toldSchema.catch({}).parse(parsedJson((await readIfPresent(path)) ?? ''));
    const look = await readLook(config);
    const due = dueNotices(await readAllDeliveries(dataDir), { review, look }, tools);
    const kept = due.flatMap(({ mark }) => (told[mark] ? [[mark, told[mark]] as const] : []));
    const now: Record<string, string> = Object.fromEntries(kept);
    const sent: string[] = [];
    for (const { mark, send } of due) {
      if (now[mark] !== undefined) continue;
      const sentence = await send();
      if (sentence === null) continue;
      now[mark] = clock.now().toISOString();
      sent.push(sentence);
      await writeFileAtomic(path, JSON.stringify(now));
    }
    if (JSON.stringify(now) !== JSON.stringify(told) && sent.length === 0)
      await writeFileAtomic(path, JSON.stringify(now));
    return sent;
  });
}

function dueNotices(
  deliveries: readonly Delivery[],
  { review, look }: { readonly review: ReviewConfig; readonly look: FormatterOptions },
  tools: Tools,
) {
  const { config, clock, log } = tools;
  const today = dayOf(clock.now(), config.timezone);
  const held = deliveries.filter(isForReview);
  return [...new Set(held.map(({ record }) => groupOf(record)))].flatMap((group) => {
    const [first, ...others] = held.filter(({ record }) => groupOf(record) === group);
    const end = endOfLinks(group, deliveries, today, config);
    if (end === null || first === undefined) return [];
    const own = [first, ...others] as const;
    return readersOf(config, review).map(({ to, name }) => {
      const link = name === null ? null : reviewLink({ group, reader: name, end }, review);
      const whom = 'post' in to ? [to.post.variable, to.as, name] : [name];
      const send = async () => {
        const { job } = first.record;
        const words = link === null ? { text: requestForPerson(own) } : linkNotice(own, link, look);
        const problem = await notifyReader(to, { job, ...words }, tools);
        if (problem === null) return `sent the notification that ${job} waits for a person`;
        // an answer may quote what was sent
        const reason = link === null ? problem : problem.replaceAll(link, '[link]');
        log.warn(
          { job },
          `the notification that ${job} waits for a person was not sent: ${reason}`,
        );
        return null;
      };
      // the key changes with the secret, and nobody can tell it from the mark
      return { mark: canonicalHash([group, end, whom, link]).slice(0, 32), send };
    });
  });
}
