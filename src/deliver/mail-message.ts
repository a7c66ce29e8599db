import MailComposer from 'nodemailer/lib/mail-composer';

export interface MailAttachment {
  /** As the reader sees it. */
  readonly name: string;
  readonly content: Uint8Array;
}

export interface MailMessage {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** Null: as text alone. */
  readonly html: string | null;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  /** Names the message for good: mail programs show one that comes twice once. */
  readonly id: string;
  readonly date: Date;
}

/** The message as it is sent, byte for byte. */
export async function composeMail(message: MailMessage): Promise<Uint8Array> {
  const composer = new MailComposer({
    from: message.from,
    to: message.to,
    subject: message.subject.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' '),
    ...(message.html !== null && { html: message.html }),
    text: message.text,
    attachments: message.attachments.map(({ name, content }) => ({
      filename: name,
      content: Buffer.from(content),
    })),
    messageId: `<${message.id}@${addressOf(message.from).split('@')[1] ?? 'localhost'}>`,
    date: message.date,
    // no vacation notice answers it
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Of `Name <address>` the address. */
export function addressOf(sender: string): string {
  return /<([^<>]+)>$/.exec(sender)?.[1] ?? sender;
}

/** In base64, with its line breaks. */
const encodedShare = 1.37;
/** The words of a message, and its heads. */
const wordsBytes = 200_000;

/** The first attachments that a message of so many bytes has room for, and the names of the others. */
export function fitAttachments(
  attachments: readonly MailAttachment[],
  maxBytes: number,
): { kept: MailAttachment[]; leftOut: string[] } {
  let room = maxBytes - wordsBytes;
  const kept = attachments.filter(({ content }) => {
    const bytes = content.length * encodedShare;
    if (bytes > room) return false;
    room -= bytes;
    return true;
  });
  const leftOut = attachments.filter((attachment) => !kept.includes(attachment));
  return { kept, leftOut: leftOut.map(({ name }) => name) };
}
