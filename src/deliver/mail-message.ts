import { domainToASCII } from 'node:url';
import type { Config } from '../config/config.ts';
import { definedDeliveries } from '../config/defined-deliveries.ts';
import { addressIn } from '../config/value-kinds.ts';

export interface MailAttachment {
  /** The file name that the reader sees. */
  readonly name: string;
  readonly content: Uint8Array;
  /** The id by which the HTML shows it as `cid:…`; it is then no file for the reader. */
  readonly cid?: string;
}

export interface MailMessage {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** The HTML body. Null for a message of text alone. */
  readonly html: string | null;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  /** The permanent id of the message. Mail programs show a message that arrives twice only once. */
  readonly id: string;
  readonly date: Date;
}

/** Returns the bytes of the message as it is sent. */
export async function composeMail(message: MailMessage): Promise<Uint8Array> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const composer = new MailComposer({
    from: message.from,
    to: mailbox(message.to),
    subject: message.subject.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' '),
    ...(message.html !== null && { html: message.html }),
    text: message.text,
    attachments: message.attachments.map(({ name, content, cid }) => ({
      filename: name,
      content: Buffer.from(content),
      ...(cid !== undefined && { cid, contentDisposition: 'inline' as const }),
    })),
    messageId: `<${message.id}@${domainOf(message.from)}>`,
    date: message.date,
    // this keeps vacation notices from answering
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** A name may have a comma, which would part it from its address. */
function mailbox(text: string): { name: string; address: string } {
  const address = addressIn(text);
  const name = text === address ? '' : text.slice(0, text.lastIndexOf('<'));
  return { name: name.replaceAll('"', '').trim(), address };
}

/** Returns the address in `Name <address>`, with its domain in ASCII, as servers know it. */
export function addressOf(sender: string): string {
  return addressIn(sender).replace(
    /[^@]*[^ -~][^@]*$/,
    (domain) => domainToASCII(domain) || domain,
  );
}

/** Finds addresses that not every mail server knows. Domains have a form in ASCII, names of mailboxes have none. */
export function addressDoubts({ mail, notify, jobs }: Config): string[] {
  const targets = [...jobs.values()].flatMap(definedDeliveries).map(({ target }) => target);
  const addresses = [
    ...(mail ? [addressOf(mail.from)] : []),
    ...notify.flatMap(({ to }) => ('mail' in to ? to.mail : [])),
    ...targets.flatMap((target) => (target.kind === 'mail' ? target.to.map(addressIn) : [])),
  ];
  return [...new Set(addresses)]
    .filter((address) => /[^ -~].*@/.test(address))
    .map(
      (address) => `${address} is not ASCII before the @, so the mail server must know SMTPUTF8`,
    );
}

/** Returns the domain of `Name <address>`, in ASCII. */
export function domainOf(sender: string): string {
  return addressOf(sender).split('@').at(-1) ?? '';
}

/** The growth of a file in base64 with line breaks. */
const base64Growth = 1.37;
/** The room kept for the headers and the text of a message. */
const textBytes = 200_000;

/**
 * Selects the attachments that fit into a message of at most `maxBytes`, in their order, and names the
 * others.
 */
export function fitAttachments(
  attachments: readonly MailAttachment[],
  maxBytes: number,
): { kept: MailAttachment[]; leftOut: string[] } {
  let room = maxBytes - textBytes;
  const kept = attachments.filter(({ content }) => {
    const bytes = content.length * base64Growth;
    if (bytes > room) return false;
    room -= bytes;
    return true;
  });
  const leftOut = attachments.filter((attachment) => !kept.includes(attachment));
  return { kept, leftOut: leftOut.map(({ name }) => name) };
}
