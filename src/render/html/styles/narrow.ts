import { css } from './css.ts';

/** The rail moves above; on a telephone cards stand in pairs and facts too. */
export const narrowStyles = css`
  @media screen and (max-width: 900px) {
    section {
      display: block;
    }
    section > header {
      display: flex;
      flex-wrap: wrap;
      align-items: baseline;
      justify-content: space-between;
      gap: 0 16px;
      margin-bottom: 8px;
    }
    .facts,
    .cards,
    .figures {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
  }
  @media screen and (max-width: 560px) {
    .page {
      padding: 0 24px;
    }
    .brand {
      padding-top: 16px;
    }
    h1 {
      margin-top: 28px;
      font-size: 32px;
    }
    .period {
      font-size: 15px;
    }
    .lede {
      margin-top: 16px;
      font-size: 19px;
    }
    h3 {
      font-size: 17px;
    }
    .facts,
    .cards,
    .figures {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .facts {
      margin-top: 20px;
    }
    .coverage,
    .coverage ul {
      display: block;
    }
    .coverage li + li::before {
      content: none;
    }
    .cards {
      margin-top: 24px;
    }
    .cards .value {
      font-size: 24px;
    }
    .cards .long {
      font-size: 18px;
    }
    table {
      font-size: 13.5px;
    }
    th,
    td {
      padding-left: 12px;
    }
    /* A word of any length leaves room for a figure beside it. */
    tbody th {
      min-width: 96px;
      max-width: 150px;
      overflow-wrap: anywhere;
    }
    .posts tbody th {
      max-width: 190px;
    }
    td > .long {
      display: inline-block;
      min-width: 220px;
    }
    .js .share {
      display: none;
    }
    .js .all .share {
      display: inline;
    }
    .js .posts tr > :first-child {
      display: none;
    }
    .posts.dense tbody th {
      min-width: 160px;
    }
    .js .more {
      display: block;
      margin-top: 8px;
    }
    .definitions {
      columns: 1;
    }
    .find input {
      width: 180px;
    }
    footer,
    .stamp {
      display: block;
    }
  }
  /* So that text in charts, drawn for 342 px, is not set below 12. */
  @media screen and (max-width: 380px) {
    .page {
      padding: 0 22px;
    }
  }
`;
