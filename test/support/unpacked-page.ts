import { inflateRawSync } from 'node:zlib';
import { z } from 'zod';

/** The page with the rows that it holds compressed in the place of their data, as its script reads them. */
export function unpackedPage(page: string): string {
  return page.replace(
    /<script type="text\/plain" class="rows">([^<]*)<\/script>/gu,
    (_, data: string) => unpacked(inflateRawSync(Buffer.from(data, 'base64')).toString('utf8')),
  );
}

function unpacked(text: string): string {
  const [words = '', ...lines] = text.split('\n');
  const phrases = z.record(z.string(), z.string()).parse(JSON.parse(words));
  return lines.join('\n').replace(/[^\P{Cc}\t\n]/gu, (code) => phrases[code] ?? '');
}
