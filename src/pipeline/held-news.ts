import {
  deliverySentence,
  describeWait,
  destinationOf,
  waitsForPerson,
  type Delivery,
} from '../deliver/delivery.ts';
import { notifyOrWarn, type JobNews, type NotifyTools } from '../deliver/notify.ts';
import { shortestName } from '../report/period.ts';

/** Notifies of reports that are held for the first time, once for each job and what they wait for: days, or a person. */
export async function notifyHeld(held: readonly Delivery[], tools: NotifyTools): Promise<void> {
  const news = [...new Set(held.map(({ record }) => record.job))].flatMap((job): JobNews[] => {
    const own = held.filter(({ record }) => record.job === job);
    const forPerson = own.filter(waitsForPerson);
    const others = own.filter((delivery) => !forPerson.includes(delivery));
    return [
      { job, state: 'held', text: forPerson.map(requestForPerson).join('\n\n'), isNew: true },
      { job, state: 'partial', text: others.map(deliverySentence).join('\n'), isNew: true },
    ];
  });
  for (const each of news.filter(({ text }) => text !== '')) await notifyOrWarn(each, tools);
}

/** What an account manager needs to comment on a report and to approve it. */
function requestForPerson(delivery: Delivery): string {
  const { id, headline, figures, comment, client, report, target } = delivery.record;
  const period = shortestName(delivery.record);
  const maker =
    client === null ? '' : ` (postledger comment ${client} --period ${period} makes it)`;
  const lines = [
    `${report}, ${period}, to ${destinationOf(target)} waits for ${describeWait(delivery) ?? ''}`,
    headline,
    figures.map(({ label, text }) => `${label}: ${text}`).join(' · '),
    comment === null ? '' : `Comment: ${comment}${maker}`,
    `postledger deliver preview ${id}`,
    `postledger deliver approve ${id}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}
