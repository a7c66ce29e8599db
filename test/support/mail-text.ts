/** The contents of a mail's attached files, by name, without the pictures that its text shows. */
export function attachmentsOf(message: string): Map<string, Buffer> {
  const parts = message.matchAll(
    /Content-Disposition: attachment;\s+filename=(?<name>\S+)\r\n(?:.+\r\n)*\r\n(?<content>[\w+/=\r\n]+)/g,
  );
  return new Map(
    [...parts].map(({ groups = {} }) => [
      groups['name'] ?? '',
      Buffer.from(groups['content'] ?? '', 'base64'),
    ]),
  );
}

/** The text of a mail in quoted-printable. */
export function decodeQuotedPrintable(text: string): string {
  return text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (codes) =>
      Buffer.from(codes.replaceAll('=', ''), 'hex').toString(),
    );
}
