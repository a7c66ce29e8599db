import { createFormatter } from '../languages/number-format.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { changeWords, createDocumentHead, type HeadCard } from './document-head.ts';

/** A comment to fill in: the figures, which its reader does not see, and the questions that a report answers. */
export function commentForm(document: ReportDocument): string {
  const { say } = createFormatter(document);
  const questions = [
    say('What was the aim?'),
    say('Why did it happen?'),
    say('What is next?'),
    say('What we need from you'),
  ];
  const { brand, title, scope, lede, cards } = createDocumentHead(document);
  const lines = [
    [brand, title, ...scope].filter((part) => part !== null).join(' · '),
    lede.map(({ text }) => text).join(''),
    ...cards.map(cardLine),
  ];
  // figures and names must not end what the reader does not see
  const figures = lines.join('\n').replaceAll('-->', '-- >');
  return `<!--\n${figures}\n-->\n\n${questions.map((each) => `## ${each}\n\n\n`).join('')}`;
}

function cardLine({ label, value, change, previous, basis }: HeadCard): string {
  const changed = change === null || change.kind === 'unknown' ? '' : changeWords(change);
  const notes = [changed, previous.join(' '), basis ?? ''].filter((note) => note !== '');
  return `${label}: ${value}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}
