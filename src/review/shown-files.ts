import { extname } from 'node:path';
import { destinationOf } from '../deliver/delivery.ts';
import type { OutboxFile } from '../deliver/outbox.ts';
import { createFormatter } from '../languages/number-format.ts';
import type { GroupMail, RenderedGroup } from '../pipeline/known-deliveries.ts';
import { markup } from '../render/html/markup.ts';
import type { ShownFile } from './review-app.ts';

/** Mails with all who get them so: those that look alike are one. */
export function mailLooks(mails: readonly GroupMail[]) {
  const looks = new Map<string, { readonly mail: GroupMail; readonly recipients: string[] }>();
  for (const mail of mails) {
    const { record, mail: rendered } = mail.rendered;
    const known = looks.get(rendered?.version ?? '');
    if (known) known.recipients.push(destinationOf(record.target));
    else looks.set(rendered?.version ?? '', { mail, recipients: [destinationOf(record.target)] });
  }
  return [...looks.values()];
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.pdf': 'application/pdf',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The files of a page by their names in links: `m0` a mail, `a0-1` what is attached to it, `f0` what is not attached. */
export function filesOf({ mails, files }: RenderedGroup): Map<string, ShownFile> {
  const [document] = mails[0]?.rendered.mail?.documents ?? [];
  const { say } = createFormatter(
    document ?? { locale: 'en-US', currency: 'USD', timezone: 'UTC' },
  );
  const note = String(
    markup`<p class="note">${say('This page is shown without its script, so that its tables cannot be sorted.')}</p>`,
  );
  const found = new Map<string, ShownFile>();
  const attached = new Set<string>();
  mailLooks(mails).forEach(({ mail: { rendered } }, index) => {
    const [body, ...others] = rendered.shown;
    if (body) found.set(`m${index}`, shownFile(body, ''));
    others.forEach((file, at) => {
      attached.add(extname(file.name));
      found.set(`a${index}-${at}`, shownFile(file, note));
    });
  });
  files
    .filter(({ name }) => !attached.has(extname(name)))
    .forEach((file, at) => found.set(`f${at}`, shownFile(file, note)));
  return found;
}

/** @param note what a page says first */
function shownFile({ name, content }: OutboxFile, note: string): ShownFile {
  const extension = extname(name);
  const isPage = extension === '.html';
  const bytes = isPage
    ? Buffer.from(withoutScript(Buffer.from(content).toString(), note))
    : content;
  return {
    name,
    isPage,
    type: types[extension] ?? 'application/octet-stream',
    content: new Uint8Array(bytes),
  };
}

function withoutScript(page: string, note: string): string {
  const still = page.replaceAll(/<script\b[^>]*>[^]*?<\/script\s*>/gi, '');
  return still.replace(/<div class="page">/, (start) => `${start}${note}`);
}
