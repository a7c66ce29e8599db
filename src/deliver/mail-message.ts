export interface MailAttachment {
  /** The file name that the reader sees. */
  readonly name: string;
  readonly content: Uint8Array;
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
    // this keeps vacation notices from answering
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Returns the address in `Name <address>`. */
export function addressOf(sender: string): string {
  return /<([^<>]+)>$/.exec(sender)?.[1] ?? sender;
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
