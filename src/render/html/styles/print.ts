import { css } from './css.ts';

/** A4, light, folds closed and controls gone; what belongs together stays on one page. */
export const printStyles = css`
  @media print {
    * {
      print-color-adjust: exact;
      -webkit-print-color-adjust: exact;
    }
    .page {
      max-width: none;
      padding: 0;
    }
    body {
      font-size: 10.5pt;
    }
    .brand {
      padding-top: 0;
    }
    h1 {
      margin-top: 22px;
      font-size: 25pt;
    }
    .lede {
      margin-top: 16px;
      font-size: 13.5pt;
    }
    .facts {
      margin-top: 18px;
      grid-template-columns: repeat(5, auto);
      font-size: 9.5pt;
    }
    dt,
    .coverage,
    .note,
    small,
    .cards .label,
    .cards .previous,
    .cards .doubt,
    section > header p {
      font-size: 8pt;
    }
    .cards {
      gap: 12px;
      margin-top: 20px;
      padding-bottom: 0;
      break-inside: avoid;
    }
    .cards .value {
      font-size: 14pt;
    }
    .cards .long {
      font-size: 10pt;
    }
    .cards .change {
      font-size: 9pt;
    }
    .spark {
      width: 100%;
    }
    section {
      display: block;
      margin-top: 22px;
      padding-top: 0;
      border-top: 0;
    }
    section > header {
      display: flex;
      align-items: baseline;
      gap: 12px;
      padding-top: 8px;
      border-top: 1px solid var(--ink);
      break-inside: avoid;
      break-after: avoid;
    }
    h2 {
      font-size: 10.5pt;
    }
    h3 {
      font-size: 13pt;
    }
    h3,
    .drawn,
    thead,
    caption {
      break-after: avoid;
    }
    .drawn {
      font-size: 9.5pt;
    }
    figure,
    figure > svg,
    tr,
    li,
    .short,
    .figures,
    .definitions div {
      break-inside: avoid;
    }
    .note {
      break-before: avoid;
      break-inside: avoid;
    }
    figure {
      margin-top: 10px;
      container-type: normal;
      break-before: avoid;
    }
    figure > .wide {
      display: block;
    }
    .key .wide {
      display: inline-flex;
    }
    figure > .narrow,
    .key .narrow {
      display: none;
    }
    svg text {
      font-size: 14px;
    }
    .scroll {
      overflow: visible;
    }
    .needed::details-content {
      display: block;
      content-visibility: visible;
      block-size: auto;
    }
    table {
      font-size: 8.8pt;
    }
    th,
    td {
      padding: 4px 0 4px 12px;
      line-height: 17px;
    }
    .dense,
    table:has(wbr),
    .dense thead th,
    table:has(wbr) thead th {
      font-size: 7pt;
    }
    .dense th:not(:first-child),
    .dense td:not(:first-child),
    table:has(wbr) :is(th, td):not(:first-child) {
      padding-left: 5px;
    }
    /* A sheet does not scroll: heads give way, and figures that are too long. */
    thead th,
    td:has(wbr) {
      white-space: normal;
    }
    thead th {
      overflow-wrap: normal;
    }
    .posts td:has(wbr) {
      min-width: 23mm;
    }
    .dense thead th {
      hyphens: auto;
    }
    tbody th {
      min-width: 16mm;
    }
    .posts.dense tbody th {
      min-width: 14mm;
    }
    /* Addresses give way to sentences. */
    td > a {
      overflow-wrap: anywhere;
    }
    td > .long {
      display: inline-block;
      min-width: 40mm;
    }
    .posts tr > :first-child {
      width: 28px;
    }
    thead {
      display: table-header-group;
    }
    /* What a head asks for after itself does not count; this keeps it from standing alone at the foot. */
    tbody:first-of-type > tr:first-child {
      break-before: avoid;
    }
    /* As a box of its own a button is not drawn where the head repeats. */
    th button {
      display: contents;
    }
    thead th {
      font-size: 8pt;
    }
    tfoot {
      display: table-row-group;
    }
    .posts th > [dir] {
      min-height: 0;
      -webkit-line-clamp: 1;
      line-clamp: 1;
      line-height: 17px;
    }
    small {
      line-height: 14px;
    }
    .key {
      font-size: 8.8pt;
    }
    sup {
      font-size: 7pt;
    }
    .figures dd {
      font-size: 13pt;
    }
    /* Whole on one sheet, so that none of them stands alone on the last. */
    section:has(> .body > .definitions) {
      break-inside: avoid;
    }
    .definitions {
      columns: 3;
      column-gap: 24px;
      font-size: 9pt;
    }
    .definitions dt {
      font-size: 9pt;
    }
    .gap:not(.open) .elsewhere {
      display: inline;
    }
    .paper {
      display: block;
    }
    details:not(.needed),
    summary,
    .find,
    .more,
    .next,
    .gap button,
    footer > p {
      display: none;
    }
    footer {
      margin-top: 18px;
      padding: 0;
      border-top: 0;
      font-size: 8pt;
      break-before: avoid;
    }
    /* Which holds between siblings only. */
    main {
      display: contents;
    }
  }
`;

/** The foot of each sheet, instead of the page's own: what it is, and the sheet's number. */
export function pageMargins(foot: string): string {
  const look = 'font:8pt Inter,Arial,sans-serif;color:#626b78';
  return `@page{size:A4;margin:14mm 13mm 15mm;@bottom-left{content:"${cssText(foot)}";${look}}@bottom-right{content:counter(page) " / " counter(pages);${look}}}
`;
}

/** Anything but letters, digits and a few marks goes by its code point, so no text can end the string. */
function cssText(text: string): string {
  return text.replace(
    /[^A-Za-z0-9 ,:]/gu,
    (character) => `\\${(character.codePointAt(0) ?? 0x20).toString(16)} `,
  );
}
