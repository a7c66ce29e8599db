import { createFormatter, isFigureFormat, type Formatter } from '../languages/number-format.ts';
import { isPostList, type ReportDocument, type ReportSection } from '../report/report-document.ts';
import { createCalendarWords } from './calendar-words.ts';
import { headedComment, markdownHtml } from './comment.ts';
import {
  changeWords,
  createDocumentHead,
  type DocumentHead,
  factsLine,
  type HeadCard,
} from './document-head.ts';
import { markup, type Markup, trusted } from './html/markup.ts';
import { cleanAttribute, safeLink, shorten } from './html/plain-text.ts';
import type { MailDocuments } from './mail-sentences.ts';
import { createPostReader, isBesideLead } from './shown-post.ts';
import { isKept, printedRows } from './shown-table.ts';
import { shownDocument } from './shown-document.ts';

export interface MailWords {
  /** The sentences above the body. Empty ones are left out. */
  readonly notes: readonly string[];
  /** Markdown above the figures, and what fills in its placeholders; null if there is none. */
  readonly body: { readonly text: string; readonly fill: (text: string) => string } | null;
  readonly attached: readonly string[];
  readonly leftOut: readonly string[];
  /** The address of the brand's logo; left out or null: none is shown. */
  readonly logo?: string | null;
  /** The picture of a chart; left out or null: none is shown. */
  readonly chart?: MailChart | null;
}

/** A picture with its address, its size in px, its section and what it says. */
interface MailChart {
  readonly address: string;
  readonly width: number;
  readonly height: number;
  readonly section: string;
  readonly text: string;
}

/** Tables in a mail are read on phones; what a change is from is beside it in any case. */
const maxRows = 12;
const maxColumns = 4;

interface Mail {
  readonly document: ReportDocument;
  readonly head: DocumentHead;
  readonly others: readonly DocumentHead[];
  /** The comments on the reports, each once, with their headings. */
  readonly comments: readonly string[];
  readonly formatter: Formatter;
  readonly words: MailWords;
}

/** Reports as a mail: as simple HTML that all mail programs show, and as text. */
export function renderMail(
  [whole, ...others]: MailDocuments,
  words: MailWords,
): { html: string; text: string } {
  const document = shownDocument(whole);
  const formatter = createFormatter(document);
  const mail = {
    document,
    formatter,
    words,
    head: createDocumentHead(document, formatter, others),
    others: others.map((other) => createDocumentHead(other)),
    comments: [...new Set([whole, ...others].flatMap(({ comment }) => comment ?? []))].map((each) =>
      headedComment(each, formatter.say('Comment')),
    ),
  };
  const section = mainSection(document);
  const posts = rankedPosts(document, formatter);
  const said = saidRows(document);
  return { html: htmlOf(mail, section, said, posts), text: textBody(mail, section, said, posts) };
}

/** The first table that answers the report's question. */
function mainSection({ sections }: ReportDocument): ReportSection | null {
  const isMain = ({ layout, isAppendix, rows }: ReportSection) =>
    layout === 'table' && !isAppendix && rows.length > 1;
  return sections.find(isMain) ?? null;
}

/** The section whose rows are sentences, and these. */
interface SaidRows {
  readonly title: string;
  readonly sentences: readonly string[];
}

function saidRows({ sections }: ReportDocument): SaidRows | null {
  const section = sections.find(({ layout, rows }) => layout === 'sentences' && rows.length > 0);
  if (section === undefined) return null;
  const at = section.columns.findIndex(({ name }) => name === 'text');
  const sentences = section.rows.map((row) => `${String(row[at])}.`);
  return { title: section.title, sentences };
}

interface RankedPosts {
  readonly title: string;
  readonly posts: readonly {
    readonly text: string;
    /** The address of the post on LinkedIn; null: it is not known. */
    readonly url: string | null;
    /** Its day and names, the remarks about it, and what it is ranked by. */
    readonly origin: string;
    readonly figures: string;
  }[];
}

const maxPostCharacters = 120;

/** The short ranking of a report, such as its best posts; null where it has none. A list of all posts is no ranking. */
function rankedPosts(document: ReportDocument, formatter: Formatter): RankedPosts | null {
  const section = document.sections.find(
    (each) =>
      each.layout === 'posts' &&
      !isPostList(each) &&
      !each.isAppendix &&
      each.rows.length <= maxRows,
  );
  if (!section || section.rows.length === 0) return null;
  const { say } = formatter;
  const calendar = createCalendarWords(document);
  const readPost = createPostReader(section, { calendar, say, withYear: true });
  const posts = printedRows(section, formatter).map((printed, index) => {
    const row = section.rows[index] ?? [];
    const { text, url, day, names, remarks } = readPost(row);
    const wordsOf = (isFigure: boolean) =>
      section.columns.flatMap((column, at) => {
        const isShown = isBesideLead(column) && row[at] !== null;
        const isAsked = isFigureFormat(column.format) === isFigure;
        return isShown && isAsked ? `${column.title}: ${printed[at]}` : [];
      });
    return {
      text: shorten(text, maxPostCharacters),
      url: safeLink(url?.trim() ?? ''),
      origin: [...(day === null ? [] : [day]), ...names, ...remarks, ...wordsOf(false)].join(' · '),
      figures: wordsOf(true).join(' · '),
    };
  });
  return { title: section.title, posts };
}

/** The columns that a narrow screen shows, and the first rows, or the last ones when the rows are months or quarters. */
function smallTable(section: ReportSection, formatter: Formatter) {
  const rows = printedRows({ columns: section.columns, rows: section.rows }, formatter);
  const columns = section.columns.map((column, index) => ({ column, index }));
  const kept = columns
    .filter(({ column, index }) => column.isInHtml && isKept(section, index))
    .slice(0, maxColumns);
  // a change stands beside both of its values
  const from = kept.flatMap(({ column: { change } }) => change?.from ?? []);
  const shown = columns.filter((each) => kept.includes(each) || from.includes(each.index));
  const isOfTime = ['month', 'quarter'].includes(section.columns[0]?.format ?? '');
  const shownRows = isOfTime ? rows.slice(-maxRows) : rows.slice(0, maxRows);
  return {
    heads: shown.map(({ column: { title, format, formatIndex } }) => ({
      title,
      isFigure: isFigureFormat(format),
      // each row is another figure, which its first cell names
      isNamedByRow: formatIndex !== undefined,
    })),
    rows: shownRows.map((row) => shown.map(({ index }) => row[index] ?? '')),
    leftOut: rows.length - shownRows.length,
  };
}

function filesSentence({ attached, leftOut }: MailWords, { say }: Formatter): string[] {
  const list = (files: readonly string[]) => ({ files: files.join(', ') });
  return [
    ...(attached.length > 0 ? [say('Attached: {files:text}.', list(attached))] : []),
    ...(leftOut.length > 0 ? [say('Too large for this mail: {files:text}.', list(leftOut))] : []),
  ];
}

/** The lines below the figures: facts and coverage. */
function restOf({ document: { coverage, caveats }, head }: Mail): string[] {
  const covered = coverage.length > 0 ? [`${coverage.join(', ')}.`] : [];
  return [factsLine(head), ...covered, ...caveats];
}

function paragraphs(notes: readonly string[]): string[] {
  return notes.flatMap((note) =>
    note
      .split(/\r?\n\s*\r?\n/)
      .map((text) => text.trim())
      .filter(Boolean),
  );
}

/** What a mail says of a report that it does not show: its first sentence, else its key figures. */
function shortReport(other: DocumentHead, head: DocumentHead): { title: string; line: string } {
  const { title, period, lede, cards } = other;
  const figures = cards.map(({ label, value }) => `${label}: ${value}`).join(' · ');
  return {
    title: period === head.period ? title : `${title}, ${period}`,
    line: lede.length > 0 ? firstSentence(lede.map(({ text }) => text).join('')) : figures,
  };
}

/** A full stop after a number or a short word may be that of a date or an abbreviation, `1. Oktober`, `ca. 5`. */
function firstSentence(text: string): string {
  return /^.*?(?:\p{L}{4,}|[%\p{Sc}])[.!?](?=\s+[\p{Lu}\p{N}])/su.exec(text)?.[0] ?? text;
}

/** The change of a card in words, and what it is from; none where it is not known. */
function changeOf({ change, previous }: HeadCard): string[] {
  if (change === null || change.kind === 'unknown') return [];
  return [changeWords(change), ...(previous.length === 0 ? [] : [previous.join(' ')])];
}

const font = 'font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif';
/* Of whatever colours the reader's program gives. */
const muted = 'opacity:.75';
const line = 'border-bottom:1px solid rgba(128,128,128,.35)';

const markdownStyles = {
  p: 'margin:0 0 12px',
  h2: 'margin:16px 0 4px;font-size:17px',
  h3: 'margin:12px 0 4px;font-size:15px',
  ul: 'margin:0 0 12px;padding-left:20px',
  ol: 'margin:0 0 12px;padding-left:24px',
  li: 'margin:0 0 4px',
  blockquote: 'margin:0 0 12px;padding-left:12px;border-left:2px solid rgba(128,128,128,.5)',
  pre: 'margin:0 0 12px;white-space:pre-wrap',
  table: 'margin:0 0 12px;border-collapse:collapse',
  th: `padding:4px 12px 4px 0;text-align:left;${line}`,
  td: `padding:4px 12px 4px 0;${line}`,
};

function markdownMarkup(text: string, fill: (text: string) => string = String): Markup {
  return trusted(markdownHtml(text, fill, markdownStyles));
}

function htmlOf(
  mail: Mail,
  section: ReportSection | null,
  said: SaidRows | null,
  posts: RankedPosts | null,
): string {
  const { document, head, others, comments, formatter, words } = mail;
  const small = (text: string) =>
    markup`<p style="margin:0 0 6px;font-size:13px;${muted}">${text}</p>`;
  const color = document.brand?.color ?? '#1b2733';
  const lede = head.lede.map(({ text, isStrong }) =>
    isStrong ? markup`<strong>${text}</strong>` : markup`${text}`,
  );
  return String(markup`<!doctype html>
<html lang="${document.language.code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${head.title}</title></head>
<body style="margin:0;padding:0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 8px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;${font};font-size:15px;line-height:1.5;text-align:left"><tr><td>
${head.brand !== null && markup`<p style="margin:0 0 16px;font-weight:600;border-left:4px solid ${color};padding-left:10px">${logoMarkup(words.logo)}${head.brand}</p>`}
${paragraphs(words.notes).map((text) => markup`<p style="margin:0 0 12px">${text}</p>`)}
${words.body && markdownMarkup(words.body.text, words.body.fill)}
${comments.map((each) => markdownMarkup(each))}
<h1 style="margin:8px 0 0;font-size:22px;line-height:1.3">${head.title}</h1>
<p style="margin:0 0 12px;${muted}">${head.scope.join(' · ')}</p>
${lede.length > 0 && markup`<p style="margin:0 0 16px;font-size:17px">${lede}</p>`}
${head.cards.length > 0 && markup`<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px;border-collapse:collapse">${head.cards.map(cardRow)}</table>`}
${head.terms.length > 0 && small(head.terms.join(' · '))}
${chartMarkup(mail, section)}
${section && tableMarkup(section, formatter)}
${said && saidMarkup(said)}
${posts && postsMarkup(posts)}
${restOf(mail).map(small)}
${others.map((other) => shortMarkup(shortReport(other, head)))}
${filesSentence(words, formatter).map(small)}
${head.product !== null && markup`<p style="margin:16px 0 0;font-size:12px;${muted}">${head.product}</p>`}
</td></tr></table></td></tr></table></body></html>
`);
}

/** On a light plate, since a logo is made for a light ground, and mail programs make that dark. */
function logoMarkup(address: string | null = null): Markup | null {
  if (address === null) return null;
  return markup`<img src="${address}" alt="" height="32" style="height:32px;width:auto;max-width:200px;vertical-align:middle;background-color:#ffffff;padding:4px;margin-right:10px">`;
}

/** The chart below the name of its section, unless the table that follows has that name; its text where it is not shown. */
function chartMarkup({ document, words }: Mail, table: ReportSection | null): Markup | null {
  const { chart = null } = words;
  if (chart === null) return null;
  const { address, width, section: name, text } = chart;
  const section = document.sections.find((each) => each.name === name);
  const heading =
    section !== undefined &&
    section !== table &&
    markup`<h2 style="margin:0 0 4px;font-size:16px">${section.finding ?? section.title}</h2>\n`;
  return markup`${heading}<img src="${address}" alt="${cleanAttribute(text)}" width="${width}" style="display:block;width:100%;max-width:480px;height:auto;margin:0 0 16px;background-color:#ffffff;font-size:13px">`;
}

function postsMarkup({ title, posts }: RankedPosts): Markup {
  const items = posts.map(({ text, url, origin, figures }) => {
    const words = url === null ? markup`${text}` : markup`<a href="${url}">${text}</a>`;
    return markup`<li style="margin:0 0 10px">${words}<br><span style="font-size:13px;${muted}">${origin}</span><br><span style="font-size:13px">${figures}</span></li>
`;
  });
  return markup`<h2 style="margin:0 0 8px;font-size:16px">${title}</h2>
<ul style="margin:0 0 16px;padding-left:20px;font-size:14px">${items}</ul>`;
}

function saidMarkup({ title, sentences }: SaidRows): Markup {
  return markup`<h2 style="margin:0 0 8px;font-size:16px">${title}</h2>
<ul style="margin:0 0 16px;padding-left:20px;font-size:14px">${sentences.map((text) => markup`<li style="margin:0 0 4px">${text}</li>\n`)}</ul>`;
}

function shortMarkup({ title, line: text }: { title: string; line: string }): Markup {
  return markup`<h2 style="margin:20px 0 4px;font-size:16px">${title}</h2>
<p style="margin:0 0 12px">${text}</p>
`;
}

function cardRow(card: HeadCard): Markup {
  const basis =
    card.basis !== null && markup`<br><span style="font-size:13px;${muted}">${card.basis}</span>`;
  const [change = '', from] = changeOf(card);
  const before = from !== undefined && markup`<br><span style="font-size:12px">${from}</span>`;
  return markup`<tr><td style="padding:6px 8px 6px 0;${line}">${card.label}${basis}</td><td align="right" style="padding:6px 8px;${line};font-size:17px;font-weight:600;white-space:nowrap">${card.value}</td><td align="right" style="padding:6px 0 6px 8px;${line};${muted};white-space:nowrap">${change}${before}</td></tr>
`;
}

function tableMarkup(section: ReportSection, formatter: Formatter): Markup {
  const { heads, rows, leftOut } = smallTable(section, formatter);
  const align = (index: number) => (heads[index]?.isFigure === true ? 'right' : 'left');
  // the description of a section with a chart is its caption, and a mail has no charts
  const description =
    section.chart === null &&
    markup`<p style="margin:0 0 8px;font-size:13px;${muted}">${section.description}</p>\n`;
  // long words of other languages give way on a phone
  const wraps = 'overflow-wrap:anywhere;hyphens:auto';
  return markup`<h2 style="margin:0 0 4px;font-size:16px">${section.finding ?? section.title}</h2>
${description}<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse;font-size:13px"><tr>${heads.map(({ title }, index) => markup`<th align="${align(index)}" style="padding:4px 3px;${line};${muted};font-size:12px;font-weight:600;${wraps}">${title}</th>`)}</tr>
${rows.map((row) => markup`<tr>${row.map((cell, index) => markup`<td align="${align(index)}" style="padding:4px 3px;${line}${index === 0 && `;${wraps}`}">${cell}</td>`)}</tr>\n`)}</table>
${leftOut > 0 && markup`<p style="margin:0 0 16px;font-size:13px;${muted}">${formatter.say('{n:count} more in the report.', { n: leftOut })}</p>`}`;
}

function textBody(
  mail: Mail,
  section: ReportSection | null,
  said: SaidRows | null,
  posts: RankedPosts | null,
): string {
  const { head, others, comments, formatter, words } = mail;
  const cards = head.cards.map((card) => {
    const notes = [...changeOf(card), card.basis ?? ''].filter((text) => text !== '').join(', ');
    return `${card.label}: ${card.value}${notes && ` (${notes})`}`;
  });
  const files = filesSentence(words, formatter);
  const blocks = [
    ...paragraphs(words.notes),
    words.body === null ? '' : words.body.fill(words.body.text).trim(),
    ...comments,
    `${head.title}\n${head.scope.join(' · ')}`,
    head.lede.map(({ text }) => text).join(''),
    cards.join('\n'),
    head.terms.join(' · '),
    words.chart?.text ?? '',
    section === null ? '' : sectionText(section, formatter),
    said === null ? '' : [said.title, ...said.sentences.map((text) => `- ${text}`)].join('\n'),
    posts === null ? '' : postsText(posts),
    [...restOf(mail), ...(others.length === 0 ? files : [])].join('\n'),
    ...others.map((other) => {
      const { title, line: text } = shortReport(other, head);
      return `${title}\n${text}`.trim();
    }),
    others.length === 0 ? '' : files.join('\n'),
    head.product ?? '',
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function postsText({ title, posts }: RankedPosts): string {
  const lines = posts.flatMap(({ text, url, origin, figures }) => [
    `- ${text}`,
    ...[origin, figures, url].flatMap((words) => (words === null ? [] : `  ${words}`)),
  ]);
  return [title, ...lines].join('\n');
}

function sectionText(section: ReportSection, formatter: Formatter): string {
  const { heads, rows, leftOut } = smallTable(section, formatter);
  const lines = rows.map(([first = '', ...cells]) => {
    const rest = cells.flatMap((cell, index) => {
      const { title = '', isNamedByRow = false } = heads[index + 1] ?? {};
      if (cell === '–') return [];
      return index === 0 && isNamedByRow ? cell : `${title} ${cell}`;
    });
    return `${first}: ${rest.join(', ')}`;
  });
  const more = leftOut > 0 ? [formatter.say('{n:count} more in the report.', { n: leftOut })] : [];
  return [section.finding ?? section.title, ...lines, ...more].join('\n');
}
