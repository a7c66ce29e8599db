import { deflateRawSync } from 'node:zlib';
import { markup, type Markup } from './markup.ts';

/**
 * What rows repeat most, longest first where one is part of another. Each goes by one control character,
 * U+0001 upwards, which no text of a page has: a reference back costs a compressed row thrice as much.
 */
const phrases = [
  '</td><th scope="row"><a dir="auto" href="https://www.linkedin.com/feed/update/urn:li:',
  '" target="_blank" rel="noopener noreferrer">',
  '</bdi></small></th><td>',
  '</td><td data-v="',
  '</bdi></th><td>',
  '<tr><th scope="row"><bdi>',
  '</td></tr>',
  '</td><td>',
] as const;
const laterPhrases = ['</bdi> · <bdi>', ' · <bdi>', '</a><small>', '<tr><td>', ' · '] as const;

/** Tab and line feed stay themselves. */
const codes = [
  ...phrases.map((phrase, index) => [phrase, String.fromCharCode(index + 1)] as const),
  ...laterPhrases.map((phrase, index) => [phrase, String.fromCharCode(index + 14)] as const),
];

/**
 * Rows in compressed form, which the page's script reads: a line with the phrases that stand for control
 * characters, as JSON, then one row a line. No text of a cell has a line feed, and what is between two
 * elements does not count. The same rows give the same bytes under one version of Node.
 */
export function packedMarkup(rows: readonly Markup[]): Markup {
  const lines = rows.map((row) => coded(row.toString().trim().replaceAll('\n', ' ')));
  const words = JSON.stringify(Object.fromEntries(codes.map(([phrase, code]) => [code, phrase])));
  const data = deflateRawSync([words, ...lines].join('\n'), { level: 9 }).toString('base64');
  return markup`<script type="text/plain" class="rows">${data}</script>`;
}

function coded(row: string): string {
  return codes.reduce((text, [phrase, code]) => text.replaceAll(phrase, code), row);
}
