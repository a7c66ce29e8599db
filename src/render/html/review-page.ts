import { createHash } from 'node:crypto';
import type { Brand } from '../../config/config.ts';
import {
  createFormatter,
  type Formatter,
  type FormatterOptions,
} from '../../languages/number-format.ts';
import type { Language } from '../../languages/phrases.ts';
import { productName } from '../document-head.ts';
import { colorStyles } from './colors.ts';
import { markup, type Markup, trusted } from './markup.ts';
import { reviewStyles } from './page-files.ts';

/** In whose words and colours a page is. */
export interface ReviewLook extends FormatterOptions {
  readonly language: Language;
  readonly brand: Brand | null;
}

/** A page with its policy: no script, forms to itself, and frames of its own. */
export interface ReviewHtml {
  readonly html: string;
  readonly policy: string;
}

/** A link relative to the page. */
interface ReviewFile {
  readonly name: string;
  readonly href: string;
  /** True for a page that is shown, false for a file that is downloaded. */
  readonly isPage: boolean;
}

/** A mail as it will arrive, and all who get it so. */
export interface ReviewMail {
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly href: string;
  readonly attached: readonly ReviewFile[];
}

export interface ReviewField {
  readonly name: string;
  /** What stands in the field. */
  readonly text: string;
  /** What stands in the file, where the field has a text that was not saved; null: it has the saved one. */
  readonly saved: string | null;
}

/** What a person did, with the time (ISO 8601). */
export interface ReviewAct {
  readonly did: 'commented' | 'approved' | 'discarded';
  /** Null: somebody on the terminal. */
  readonly who: string | null;
  readonly at: string;
  readonly note?: string | undefined;
}

export interface HeldPage {
  /** The client, the reports and their period. */
  readonly title: string;
  readonly period: string;
  readonly who: string;
  /** The version of what is shown, which a form names. */
  readonly version: string;
  /** The outcome of the form that was sent; null: none was. */
  readonly outcome: { readonly text: string; readonly changes: readonly string[] } | null;
  readonly mails: readonly ReviewMail[];
  /** What was written of the reports and is not attached. */
  readonly others: readonly ReviewFile[];
  /** What is missing or not final, and why the mail waits. */
  readonly missing: readonly string[];
  /** What the client was told before; null: nothing is known. */
  readonly earlier: { readonly period: string; readonly html: string } | null;
  readonly fields: readonly ReviewField[];
  /** What keeps the mail from being sent; null: nothing. */
  readonly obstacle: string | null;
  readonly isIncomplete: boolean;
  readonly history: readonly ReviewAct[];
}

/** The page of a mail that waits. */
export function renderHeldPage(page: HeldPage, look: ReviewLook): ReviewHtml {
  const formatter = createFormatter(look);
  const { say } = formatter;
  const { title, period, who, mails, others, missing, earlier, history } = page;
  const body = markup`<h1>${title}</h1>
<p class="period">${period}</p>
<p class="soft">${say('You see this page as {who:text}. What you do here is recorded under this name.', { who })}</p>
${page.outcome !== null && outcomeMarkup(page.outcome)}
${missing.length > 0 && markup`<section class="box bad"><h2>${say('What is missing')}</h2><ul>${missing.map((each) => markup`<li>${each}</li>`)}</ul></section>\n`}
${mails.map((mail, index) => mailMarkup(mail, index, formatter))}
${others.length > 0 && markup`<h3>${say('Further files of the reports, which are not attached')}</h3>\n${filesMarkup(others, formatter)}`}
${earlier !== null && markup`<details><summary>${say('What this client was told last, {period:text}', { period: earlier.period })}</summary><div class="comment">${trusted(earlier.html)}</div></details>\n`}
${formMarkup(page, formatter)}
${historyMarkup(history, formatter)}`;
  return pageOf(title, body, look);
}

function outcomeMarkup({ text, changes }: NonNullable<HeldPage['outcome']>): Markup {
  return markup`<section class="box bad" role="alert"><p><strong>${text}</strong></p>${changes.length > 0 && markup`<ul>${changes.map((each) => markup`<li>${each}</li>`)}</ul>`}</section>
`;
}

function mailMarkup(mail: ReviewMail, index: number, formatter: Formatter): Markup {
  const { say } = formatter;
  const { recipients, subject, href, attached } = mail;
  return markup`<section aria-labelledby="m${index}"><h2 id="m${index}">${say('The mail as it will arrive')}</h2>
<p>${say('To: {recipients:text}', { recipients: recipients.join(', ') })}</p>
<p>${say('Subject: {subject:text}', { subject })}</p>
<iframe src="${href}" sandbox title="${subject}"></iframe>
<p class="soft"><a href="${href}">${say('The mail on a page of its own')}</a></p>
<h3>${say('Attached files')}</h3>
${attached.length > 0 ? filesMarkup(attached, formatter) : markup`<p>${say('No file is attached.')}</p>\n`}</section>
`;
}

function filesMarkup(files: readonly ReviewFile[], { say }: Formatter): Markup {
  const note = say('shown here without its script, so that its tables cannot be sorted');
  return markup`<ul class="files">${files.map(
    ({ name, href, isPage }) =>
      markup`<li><a href="${href}">${name}</a>${isPage && markup` <span class="soft">(${note})</span>`}</li>`,
  )}</ul>
`;
}

function formMarkup(page: HeldPage, { say }: Formatter): Markup {
  const { version, fields, obstacle, isIncomplete, mails } = page;
  const canSend = mails.length > 0 && obstacle === null;
  const words = isIncomplete ? say('Send as incomplete') : say('Send');
  const send = markup`<button class="main" name="action" value="send">${words}</button>`;
  return markup`<form method="post" action="">
<input type="hidden" name="version" value="${version}">
${fields.map((field, index) => fieldMarkup(field, index, say))}
${fields.length > 0 && markup`<p class="soft">${say('In Markdown. What stands between <!-- and --> is not sent, nor is a heading without a text below it.')}</p>\n<button name="action" value="save">${say('Save and look again')}</button>`}
${canSend && send}
${obstacle !== null && markup`<p class="box bad">${obstacle}</p>`}
<div class="refuse"><label for="note">${say('Why it is not sent')}</label>
<input id="note" name="note" maxlength="500" autocomplete="off">
<button name="action" value="discard">${say('Do not send')}</button></div>
</form>
`;
}

function fieldMarkup(
  { name, text, saved }: ReviewField,
  index: number,
  say: Formatter['say'],
): Markup {
  const label = saved === null ? say('Comment') : say('Your comment, which is not saved');
  const other =
    saved !== null &&
    markup`<h3>${say('The comment that is saved')}</h3><pre>${saved}</pre>
`;
  // a field drops the first line break
  return markup`${other}<label for="c${index}">${label}</label>
<textarea id="c${index}" name="${name}" spellcheck="true">
${text}</textarea>
`;
}

function historyMarkup(history: readonly ReviewAct[], formatter: Formatter): Markup | false {
  if (history.length === 0) return false;
  const { say } = formatter;
  return markup`<h2>${say('What was done')}</h2><ul>${history.map((act) => markup`<li>${actWords(act, formatter)}</li>`)}</ul>
`;
}

function actWords({ did, who, at, note }: ReviewAct, { say }: Formatter): string {
  const values = { who: who ?? say('somebody on the terminal'), at };
  const words = {
    commented: say('Comment saved by {who:text}, {at:datetime}', values),
    approved: say('Approved by {who:text}, {at:datetime}', values),
    discarded: say('Not sent: decided by {who:text}, {at:datetime}', values),
  }[did];
  return note === undefined ? words : `${words}: ${note}`;
}

export type ReviewState =
  'queued' | 'sending' | 'sent' | 'failed' | 'unknown' | 'discarded' | 'replaced';

/** The page of mails that wait no more: the state of each, and who did what when. */
export function renderStatePage(
  states: readonly { readonly state: ReviewState; readonly at: string }[],
  history: readonly ReviewAct[],
  look: ReviewLook,
): ReviewHtml {
  const formatter = createFormatter(look);
  const { say } = formatter;
  const sentences = {
    queued: () => say('It is approved, and will be sent within minutes.'),
    sending: () => say('It is being sent.'),
    sent: (at: string) => say('It was sent, {at:datetime}.', { at }),
    failed: () =>
      say(
        'The mail server has refused it. Whoever runs postledger sees why: postledger deliver list',
      ),
    unknown: () =>
      say(
        'The connection ended while it was sent, so it may or may not have arrived. Whoever runs postledger decides: postledger deliver list',
      ),
    discarded: () => say('It was not sent.'),
    replaced: () => say('Another mail has taken its place.'),
  };
  const lines = [...new Set(states.map(({ state, at }) => sentences[state](at)))];
  const title = say('Held mail');
  const body = markup`<h1>${title}</h1>
<section class="box" role="status">${lines.map((each) => markup`<p><strong>${each}</strong></p>`)}</section>
${historyMarkup(history, formatter)}`;
  return pageOf(title, body, look);
}

function messagesOf(say: Formatter['say']) {
  return {
    unknown: [
      say('This link is not valid'),
      say('It may have ended: while the mail waits, the next notification has a new one.'),
    ],
    often: [
      say('Too many wrong links'),
      say('Wait a minute, then open the link of the notification again.'),
    ],
    rendering: [
      say('The reports are being rendered'),
      say('This page opens by itself once they are there.'),
    ],
    changing: [
      say('The reports are being rendered again'),
      say(
        'Their data have changed since you opened the page. Nothing was sent or saved: open the link again in a minute.',
      ),
    ],
    saved: [
      say('The reports are being rendered again'),
      say(
        'Your comment is saved. Nothing was sent yet: look at the mail as it is now, then send it.',
      ),
    ],
    failed: [
      say('The page cannot be shown'),
      say(
        'Nothing was sent or saved. Whoever runs postledger finds the reason in the log of the server.',
      ),
    ],
  } as const;
}

/**
 * A page of one message. `rendering` and `saved` look again by themselves.
 * @param unsaved the comments of a form that was refused
 */
export function renderMessagePage(
  kind: keyof ReturnType<typeof messagesOf>,
  look: ReviewLook,
  unsaved: readonly string[] = [],
): ReviewHtml {
  const { say } = createFormatter(look);
  const [title, text] = messagesOf(say)[kind];
  const body = markup`<h1>${title}</h1>
<p>${text}</p>
${unsaved.map((each) => markup`<h3>${say('Your comment, which is not saved')}</h3><pre>${each}</pre>\n`)}`;
  return pageOf(title, body, look, kind === 'rendering' || kind === 'saved');
}

function pageOf(title: string, body: Markup, look: ReviewLook, looksAgain = false): ReviewHtml {
  const { language, brand } = look;
  const name = brand?.name ?? ((brand?.productMark ?? true) ? productName : null);
  const styles = `${colorStyles(brand?.color ?? null)}\n${reviewStyles}`;
  const page = markup`<!DOCTYPE html>
<html lang="${language.code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${looksAgain && markup`<meta http-equiv="refresh" content="3">\n`}<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(styles)}</style>
</head>
<body class="review">
<div class="page">
${name !== null && markup`<header><p class="brand"><span class="mark"></span><bdi>${name}</bdi></p></header>\n`}<main>
${body}</main>
</div>
</body>
</html>
`;
  const hash = createHash('sha256').update(styles).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  return { html: page.toString(), policy };
}
