import { hash } from 'node:crypto';
import type { MailConfig } from '../config/config.ts';
import type { DefinedDelivery } from '../config/defined-deliveries.ts';
import { deliveryId, type DeliveryRecord, type NewDelivery } from '../deliver/delivery.ts';
import { composeMail, fitAttachments } from '../deliver/mail-message.ts';
import type { OutboxFile } from '../deliver/outbox.ts';
import { renderMail } from '../render/mail.ts';
import {
  changedFigures,
  introduction,
  mailSubject,
  placeholderWords,
  previewNote,
  type MailDocuments,
} from '../render/mail-sentences.ts';
import { readMarkdownFile } from './markdown-file.ts';
import { fillPlaceholders } from './placeholders.ts';

type MailTarget = Extract<DefinedDelivery['target'], { readonly kind: 'mail' }>;

interface MailContent {
  readonly about: Omit<NewDelivery, 'target'>;
  /** The one first that leads. */
  readonly documents: MailDocuments;
  /** The files of the reports, of which those are attached that fit. */
  readonly files: readonly OutboxFile[];
}

interface MailOrder {
  /** What was sent and is corrected, with a note for the reader; null: it corrects nothing. */
  readonly correction: { readonly record: DeliveryRecord; readonly note: string | null } | null;
  /** The address that gets the mail first, marked as a preview; null: it goes to its recipient. */
  readonly previewTo: string | null;
  readonly now: Date;
  readonly mail: MailConfig | null;
}

/**
 * Renders a mail: a message with the head of the first report, a line for each other, and attached files.
 * @throws MarkdownFileError if its text cannot be used
 */
export async function renderMessage(
  { client, job, recipient }: DefinedDelivery,
  { subject: template, body: file, to: [mailbox = ''] }: MailTarget,
  { about, documents, files }: MailContent,
  { correction, previewTo, now, mail }: MailOrder,
) {
  const isPreview = previewTo !== null;
  const address = previewTo ?? recipient;
  const { kept, leftOut } = fitAttachments(files, mail?.maxBytes ?? 0);
  const attached = kept.map(({ name }) => name);
  const clientName = client?.brand.name ?? '';
  const words = { client: clientName, job: job.name, ...placeholderWords(documents, about) };
  const fill = (unfilled: string) => fillPlaceholders(unfilled, words);
  const text = file === null ? null : await readMarkdownFile(file);
  const notes = [
    ...(isPreview ? [previewNote(documents, recipient)] : []),
    ...(correction ? [correction.note ?? '', changedFigures(correction.record, documents)] : []),
    ...(text === null ? [introduction(documents, words)] : []),
  ];
  const subject = mailSubject(documents, fill(template).trim(), {
    isCorrected: correction !== null,
    isPreview,
  });
  const body = text === null ? null : { text, fill };
  const logo = await mailLogo(documents);
  const chart = await mailChart(documents);
  const textsWith = (files: readonly string[], others: readonly string[]) =>
    renderMail(documents, {
      notes,
      body,
      attached: files,
      leftOut: others,
      logo: logo && logoAddress,
      chart: chart?.shown ?? null,
    });
  const texts = textsWith(attached, leftOut);
  const envelope = {
    from: mail?.from ?? '',
    subject,
    date: now,
    to: previewTo ?? mailbox,
    id: isPreview
      ? deliveryId(now.toISOString(), ['preview', about.id, address, now.toISOString()])
      : about.id,
  };
  const pictures = [...(logo ? [logo.file] : []), ...(chart ? [chart.file] : [])];
  const message = await composeMail({ ...envelope, ...texts, attachments: [...pictures, ...kept] });
  // a server may take only smaller messages
  const withoutFiles =
    kept.length > 0 &&
    (await composeMail({
      ...envelope,
      ...textsWith(
        [],
        files.map(({ name }) => name),
      ),
      attachments: pictures,
    }));
  return {
    version: versionOf({
      subject,
      notes,
      body: text && fill(text),
      logo: logo && hash('sha256', logo.file.content),
      files: files.map(({ name }) => name),
      documents,
    }),
    record: { ...about, target: { kind: 'mail' as const, address, subject, attached } },
    files: [
      { name: 'message.eml', content: message },
      ...(withoutFiles ? [{ name: 'message-without-attachments.eml', content: withoutFiles }] : []),
    ],
    shown: [
      { name: 'mail.html', content: Buffer.from(withPictures(texts.html, pictures)) },
      ...kept,
    ],
  };
}

/** A hash of what a reader gets, without the times of the newest run and reading, which change nothing of it. */
function versionOf(mail: Readonly<Record<string, unknown>> & Pick<MailContent, 'documents'>) {
  const documents = mail.documents.map((document) => ({
    ...document,
    dataAsOf: null,
    stamp: null,
  }));
  const text = JSON.stringify({ ...mail, documents }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return hash('sha256', text);
}

const logoAddress = 'cid:logo';

/** The pictures that mail programs show. They show no SVG or WebP, so the name of the brand stands alone there. */
const shownImages = ['image/png', 'image/jpeg', 'image/gif'];

async function mailLogo([{ brand }]: MailDocuments) {
  const path = brand?.logo ?? null;
  if (path === null) return null;
  const { readLogo } = await import('../output/report-files.ts');
  const logo = await readLogo(path);
  if (logo === null || !shownImages.includes(logo.mime)) return null;
  const name = `logo.${logo.mime.slice('image/'.length)}`;
  return { file: { name, content: logo.bytes, cid: 'logo' } };
}

/** The first chart of the first report, which has no SVG that mail programs would show. */
async function mailChart([document]: MailDocuments) {
  const { chartPicture } = await import('../render/chart-picture.ts');
  const picture = await chartPicture(document);
  if (picture === null) return null;
  const { png: content, ...shown } = picture;
  return {
    shown: { ...shown, address: 'cid:chart' },
    file: { name: 'chart.png', content, cid: 'chart' },
  };
}

/** The HTML as a file of its own, which has no attached pictures. */
function withPictures(
  html: string,
  pictures: readonly {
    readonly name: string;
    readonly content: Uint8Array;
    readonly cid: string;
  }[],
): string {
  return pictures.reduce((text, { name, content, cid }) => {
    const data = Buffer.from(content).toString('base64');
    return text.replace(`cid:${cid}`, `data:image/${name.split('.').at(-1)};base64,${data}`);
  }, html);
}
