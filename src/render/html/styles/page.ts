import { css } from './css.ts';

/** Ground, type, head of the page, sections and foot, as on a wide screen. */
export const pageStyles = css`
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0;
    background: var(--bg);
    color: var(--ink);
    font:
      15px/1.5 -apple-system,
      'Segoe UI',
      Inter,
      Roboto,
      'Helvetica Neue',
      Arial,
      sans-serif;
    font-variant-numeric: tabular-nums lining-nums;
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
  }
  .page {
    max-width: 1216px;
    margin: 0 auto;
    padding: 0 32px;
  }
  h1,
  h2,
  h3,
  p,
  dl,
  dd,
  ul,
  figure {
    margin: 0;
    padding: 0;
  }
  ul {
    list-style: none;
  }
  h1,
  h2,
  h3,
  p,
  dd,
  li,
  th {
    overflow-wrap: anywhere;
  }
  a {
    color: var(--accent);
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .spoken {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .brand {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 28px 0 13px;
    border-bottom: 2px solid var(--ink);
    font-size: 13.5px;
    font-weight: 650;
    line-height: 24px;
  }
  .brand img {
    display: block;
    height: 24px;
    max-width: 240px;
    object-fit: contain;
  }
  .mark {
    width: 16px;
    height: 16px;
    background: var(--accent);
    forced-color-adjust: none;
  }
  h1 {
    margin-top: 36px;
    font-size: 42px;
    font-weight: 700;
    line-height: 1.1;
    letter-spacing: -0.022em;
  }
  .period {
    margin-top: 6px;
    color: var(--ink2);
    font-size: 17px;
  }
  .lede {
    max-width: 880px;
    margin-top: 24px;
    font-size: 22px;
    line-height: 1.42;
  }
  strong {
    font-weight: 650;
  }
  .facts {
    display: grid;
    grid-template-columns: repeat(5, 1fr);
    gap: 12px 24px;
    margin-top: 28px;
    padding: 12px 0;
    border-top: 1px solid var(--rule);
    border-bottom: 1px solid var(--rule);
    font-size: 14px;
  }
  dt {
    color: var(--ink3);
    font-size: 12.5px;
  }
  .coverage {
    display: flex;
    gap: 18px;
    padding: 11px 0;
    border-bottom: 1px solid var(--rule);
    color: var(--ink2);
    font-size: 13.5px;
  }
  .coverage p {
    flex: none;
    color: var(--ink);
    font-weight: 650;
  }
  .coverage ul {
    display: flex;
    flex-wrap: wrap;
  }
  .coverage li + li::before {
    content: '·';
    padding: 0 8px;
    color: var(--ink3);
  }
  .cards {
    display: grid;
    grid-template-columns: repeat(6, minmax(0, 1fr));
    gap: 24px;
    margin-top: 36px;
    padding-bottom: 20px;
  }
  .cards .label,
  .cards .previous,
  .cards .doubt {
    color: var(--ink3);
    font-size: 12.5px;
  }
  .cards .doubt {
    color: var(--down);
  }
  .previous span {
    display: block;
  }
  .cards .value {
    font-size: 28px;
    font-weight: 640;
    line-height: 1.25;
    letter-spacing: -0.01em;
    white-space: nowrap;
  }
  .cards .long {
    font-size: 20px;
    white-space: normal;
  }
  .cards .change {
    margin-top: 4px;
    font-size: 14px;
    font-weight: 600;
    line-height: 20px;
  }
  .change {
    color: var(--ink2);
  }
  .change.up {
    color: var(--accent);
  }
  .change.down {
    color: var(--down);
  }
  section {
    display: grid;
    grid-template-columns: 184px minmax(0, 1fr);
    gap: 0 40px;
    margin-top: 44px;
    padding-top: 14px;
    border-top: 1px solid var(--ink);
  }
  h2 {
    font-size: 15px;
    font-weight: 650;
  }
  section > header p {
    color: var(--ink3);
    font-size: 12.5px;
    line-height: 1.45;
  }
  h3 {
    max-width: 880px;
    font-size: 20px;
    font-weight: 650;
    line-height: 1.3;
    text-wrap: balance;
  }
  .drawn {
    max-width: 780px;
    margin-top: 4px;
    color: var(--ink2);
    font-size: 14px;
  }
  .note {
    max-width: 780px;
    margin-top: 8px;
    color: var(--ink3);
    font-size: 12.5px;
  }
  .figures {
    display: grid;
    grid-template-columns: repeat(4, 1fr);
    gap: 20px 24px;
    margin-top: 18px;
  }
  .figures dd {
    font-size: 20px;
    font-weight: 600;
    line-height: 1.35;
  }
  .definitions {
    columns: 2;
    column-gap: 44px;
    margin-top: 14px;
    font-size: 13.5px;
  }
  .definitions div {
    margin-bottom: 16px;
    break-inside: avoid;
  }
  .definitions dt {
    color: var(--ink);
    font-size: 13.5px;
    font-weight: 650;
  }
  .definitions dd {
    color: var(--ink2);
  }
  footer {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 24px;
    margin-top: 44px;
    padding: 12px 0 36px;
    border-top: 2px solid var(--ink);
    color: var(--ink3);
    font-size: 12.5px;
  }
  .stamp {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 24px;
    width: 100%;
    overflow-wrap: anywhere;
  }
`;
