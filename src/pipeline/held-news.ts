import {
  deliverySentence,
  describeWait,
  destinationOf,
  waitsForPerson,
  type Delivery,
  type DeliveryStatus,
} from '../deliver/delivery.ts';
import type { Config } from '../config/config.ts';
import { notifyOrWarn, type JobNews, type NotifyTools } from '../deliver/notify.ts';
import { saidSentence } from '../deliver/sentence.ts';
import {
  createFormatter,
  type Formatter,
  type FormatterOptions,
} from '../languages/number-format.ts';
import { readLanguage } from '../languages/phrases.ts';
import { shortestName } from '../report/period.ts';

/**
 * Notifies of reports that are held for the first time, once for each job and what they wait for: days, or a person. With
 * `review` the mails that wait for a person have notifications of their own, with links.
 */
export async function notifyHeld(
  held: readonly Delivery[],
  tools: NotifyTools & { readonly config: Config },
): Promise<void> {
  const hasPage = ({ record: { target } }: Delivery) =>
    tools.config.review !== null && target?.kind === 'mail';
  const news = [...new Set(held.map(({ record }) => record.job))].flatMap((job): JobNews[] => {
    const own = held.filter((each) => each.record.job === job);
    const forPerson = own.filter((each) => waitsForPerson(each) && !hasPage(each));
    const others = own.filter((delivery) => !waitsForPerson(delivery));
    return [
      {
        job,
        state: 'held',
        text: forPerson.map((each) => requestForPerson([each])).join('\n\n'),
        isNew: true,
      },
      { job, state: 'partial', text: others.map(deliverySentence).join('\n'), isNew: true },
    ];
  });
  for (const each of news.filter(({ text }) => text !== '')) await notifyOrWarn(each, tools);
}

/**
 * What somebody needs to comment on a report and to approve it on a terminal.
 * @param group deliveries that differ in nothing but their recipient
 */
export function requestForPerson(group: readonly Delivery[]): string {
  const [delivery] = group;
  if (delivery === undefined) return '';
  const { headline, figures, comment, client, report } = delivery.record;
  const period = shortestName(delivery.record);
  const to = group.map(({ record }) => destinationOf(record.target)).join(', ');
  const maker =
    client === null ? '' : ` (postledger comment ${client} --period ${period} makes it)`;
  const lines = [
    `${report}, ${period}, to ${to} waits for ${describeWait(delivery) ?? ''}`,
    headline,
    figures.map(({ label, text }) => `${label}: ${text}`).join(' · '),
    comment === null ? '' : `Comment: ${comment}${maker}`,
    ...group.flatMap(({ record: { id } }) => [
      `postledger deliver preview ${id}`,
      `postledger deliver approve ${id}`,
    ]),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** The language and the formats of a client, or of the agency. */
export async function readLook({ locale, currency, timezone, language, brand }: LookKeys) {
  return { locale, currency, timezone, brand, language: await readLanguage(language) };
}

type LookKeys = Pick<Config, 'locale' | 'currency' | 'timezone' | 'language' | 'brand'>;

/**
 * What an account manager needs before they open the page of held mails.
 * @param group deliveries that differ in nothing but their recipient
 * @param look that of the agency
 */
export function linkNotice(
  group: readonly [Delivery, ...Delivery[]],
  link: string,
  look: FormatterOptions,
) {
  const formatter = createFormatter(look);
  const { say } = formatter;
  const [{ record, status }] = group;
  const { target, headline, figures } = record;
  const wait = status.waits_for;
  const to = group.map(({ record: { target: each } }) => destinationOf(each)).join(', ');
  const subject = target?.kind === 'mail' ? target.subject : record.report;
  const lines = [
    say('Look at it, comment on it and send it: {link:text}', { link }),
    say('It goes to {to:text}.', { to }),
    wait?.kind === 'comment' ? say('It needs a comment before it can be sent.') : '',
    ...(wait?.kind === 'days' ? unreadSentences(wait.days, formatter) : []),
    reasonFor(status, formatter) ?? '',
    headline,
    figures.map(({ label, text }) => `${label}: ${text}`).join(' · '),
  ];
  const text = lines.filter((line) => line !== '').join('\n');
  return { title: say('Waits for you: {subject:text}', { subject }), text };
}

/** Says why a person has to look at a delivery; null: since jobs.yaml asks for it. */
export function reasonFor(
  { reason, waits_for: wait }: Partial<Pick<DeliveryStatus, 'reason' | 'waits_for'>>,
  formatter: Formatter,
): string | null {
  if (wait?.kind !== 'approval') return null;
  // a record of an earlier version has the reason in English alone
  return wait.said ? saidSentence(wait.said, formatter) : (reason ?? null);
}

/** Says which days were not read, a sentence for each profile and range. */
export function unreadSentences(days: readonly UnreadDays[], formatter: Formatter): string[] {
  return days.map(({ profile, first_day: first, last_day: last }) => {
    const [from, to] = [first, last].map((day) => formatter.format(day, 'date', { prose: true }));
    return first === last
      ? formatter.say('{profile:text} was not read on {day:text}.', { profile, day: from ?? '' })
      : formatter.say('{profile:text} was not read from {from:text} to {to:text}.', {
          profile,
          from: from ?? '',
          to: to ?? '',
        });
  });
}

interface UnreadDays {
  readonly profile: string;
  readonly first_day: string;
  readonly last_day: string;
}
