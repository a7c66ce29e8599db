import { inflateRawSync } from 'node:zlib';

/** The page with the rows that it holds compressed in the place of their data, as its script reads them. */
export function unpackedPage(page: string): string {
  return page.replace(
    /<script type="text\/plain" class="rows">([^<]*)<\/script>/gu,
    (_, data: string) => inflateRawSync(Buffer.from(data, 'base64')).toString('utf8'),
  );
}
