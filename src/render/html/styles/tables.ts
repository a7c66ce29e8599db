import { css } from './css.ts';

/** Hairlines between rows, the head ruled by the axis' colour, the total by ink. */
const frameStyles = css`
  .scroll {
    position: relative;
    margin-top: 12px;
    overflow-x: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: 14px;
  }
  th,
  td {
    padding: 7px 0 7px 18px;
    font-weight: 400;
    line-height: 22px;
    text-align: right;
    vertical-align: baseline;
    white-space: nowrap;
  }
  th:first-child,
  td:first-child {
    padding-left: 0;
  }
  th:first-child,
  td.empty,
  .gap td {
    white-space: normal;
    text-align: left;
  }
  thead th {
    color: var(--ink3);
    font-size: 12.5px;
    border-bottom: 1px solid var(--axis);
    vertical-align: bottom;
  }
  tbody tr {
    border-bottom: 1px solid var(--rule);
  }
  tbody tr:hover {
    background: var(--tint);
  }
  tbody th {
    min-width: 120px;
    max-width: 340px;
    font-weight: 600;
    white-space: normal;
    overflow-wrap: break-word;
  }
  /* On screen a table scrolls, and its figures stay whole. */
  @media screen {
    td wbr {
      display: none;
    }
  }
  .small {
    font-size: 12.5px;
  }
  .dense th:not(:first-child),
  .dense td:not(:first-child) {
    padding-left: 9px;
  }
  .dense thead th {
    white-space: normal;
    overflow-wrap: normal;
  }
  th.plain {
    font-weight: 400;
  }
  td a,
  td bdi {
    white-space: normal;
  }
  tfoot tr {
    border-top: 1px solid var(--ink);
  }
  tbody:has(+ tfoot) tr:last-child {
    border-bottom-color: var(--ink);
  }
  tfoot th,
  tfoot td {
    font-weight: 650;
  }
  .null,
  td.empty,
  .gap td {
    color: var(--ink3);
  }
  .null {
    font-weight: 400;
  }
  sup {
    color: var(--ink3);
    font-size: 10.5px;
    font-weight: 400;
    line-height: 0;
  }
  .share {
    margin-right: 12px;
    fill: var(--bar);
  }
  td .spark {
    display: inline-block;
    margin: 0;
    vertical-align: -5px;
  }
  .figure {
    display: inline-block;
    min-width: 6ch;
  }
  th[aria-sort] {
    color: var(--ink);
    font-weight: 650;
  }
  th[aria-sort='descending']:not(:has(button))::after,
  th[aria-sort='descending'] button::after {
    content: '\a0↓';
    content: '\a0↓' / '';
  }
  th[aria-sort='ascending'] button::after {
    content: '\a0↑';
    content: '\a0↑' / '';
  }
  th button,
  .more,
  td button {
    min-height: 24px;
    margin: 0;
    padding: 0;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    text-align: inherit;
    cursor: pointer;
  }
  th button:hover {
    color: var(--accent);
  }
  .more,
  td button {
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .more {
    display: none;
    font-size: 13.5px;
  }
  summary {
    width: fit-content;
    min-height: 24px;
    margin-top: 12px;
    color: var(--ink2);
    font-size: 13.5px;
    cursor: pointer;
  }
`;

/** Rank, then the text with its origin in small; two lines of it at most. */
const postStyles = css`
  .posts tr > :first-child {
    width: 44px;
    color: var(--ink3);
    text-align: left;
  }
  .posts.dense tbody th {
    min-width: 280px;
  }
  .posts tr > :nth-child(2):nth-child(2) {
    padding-left: 0;
    text-align: left;
    text-align: start;
  }
  .posts tbody th {
    min-width: 160px;
    max-width: 560px;
    font-weight: 400;
  }
  .posts th > [dir],
  .clip {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    line-clamp: 2;
    line-height: 20px;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  /* A line of text is lower than what a finger hits. */
  .posts th > a {
    min-height: 24px;
  }
  .posts th > a {
    color: inherit;
    text-decoration: none;
  }
  .posts th > a:hover,
  .posts th > a:focus-visible {
    color: var(--accent);
    text-decoration: underline;
  }
  small {
    display: block;
    color: var(--ink3);
    font-size: 12.5px;
    line-height: 18px;
  }
  small b {
    color: var(--down);
    font-weight: 600;
  }
  .listed tbody:not(.list),
  .live .elsewhere,
  .paper {
    display: none;
  }
  .listed .gap:not(.live) {
    display: table-row-group;
  }
  .next td {
    text-align: left;
  }
  .find {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    margin-top: 12px;
    color: var(--ink3);
    font-size: 12.5px;
  }
  .find[hidden] {
    display: none;
  }
  .find label {
    display: flex;
    align-items: center;
    gap: 8px;
  }
  .find input {
    width: 240px;
    min-height: 28px;
    padding: 2px 6px;
    border: 1px solid var(--axis);
    border-radius: 0;
    background: var(--bg);
    color: var(--ink);
    font: inherit;
    font-size: 14px;
  }
`;

export const tableStyles = frameStyles + postStyles;

/** What a column's place says of it, so that its cells need no classes: words, key figure, may hide. */
export function columnStyles(columns: number): string {
  const places = Array.from({ length: columns }, (_, index) => index + 1);
  const select = (letter: string) =>
    places.map((place) => `.${letter}${place} tr>:nth-child(${place})`).join(',');
  const hide = places.map((place) => `.js .m${place}:not(.all) tr>:nth-child(${place})`).join(',');
  return `${select('t')}{text-align:left}
${select('d')}{padding-left:24px}
${places.map((place) => `.k${place} td:nth-child(${place})`).join(',')}{font-weight:650}
@media screen and (max-width:560px){${hide}{display:none}}
`;
}
