import {
  deliverySentence,
  describeWait,
  destinationOf,
  waitsForPerson,
  type Delivery,
} from '../deliver/delivery.ts';
import type { Config } from '../config/config.ts';
import { notifyOrWarn, type JobNews, type NotifyTools } from '../deliver/notify.ts';
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
        text: forPerson.map((each) => requestForPerson([each], null)).join('\n\n'),
        isNew: true,
      },
      { job, state: 'partial', text: others.map(deliverySentence).join('\n'), isNew: true },
    ];
  });
  for (const each of news.filter(({ text }) => text !== '')) await notifyOrWarn(each, tools);
}

/**
 * What an account manager needs to comment on a report and to approve it.
 * @param group deliveries that differ in nothing but their recipient
 * @param link the page on which a person does both; null: there is none
 */
export function requestForPerson(group: readonly Delivery[], link: string | null): string {
  const [delivery] = group;
  if (delivery === undefined) return '';
  const { headline, figures, comment, client, report } = delivery.record;
  const period = shortestName(delivery.record);
  const to = group.map(({ record }) => destinationOf(record.target)).join(', ');
  const maker =
    client === null ? '' : ` (postledger comment ${client} --period ${period} makes it)`;
  const lines = [
    `${report}, ${period}, to ${to} waits for ${describeWait(delivery) ?? ''}`,
    link === null ? '' : `Look at it, comment on it and send it: ${link}`,
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
