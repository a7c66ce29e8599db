import type { Page } from 'playwright-core';

interface PageTable {
  readonly caption: string;
  /** The cells of the total row; empty if there is none. */
  readonly total: readonly string[];
}

export interface PageFigures {
  readonly tables: readonly PageTable[];
  /** Label and value pairs of the sections with one row, in the page's order. */
  readonly figures: readonly (readonly string[])[];
  /** Label and value of the cards. */
  readonly cards: readonly (readonly string[])[];
}

/** Runs in the page. Marks that stand beside a figure (bars, footnote letters) are left out. */
const readFigures = `(() => {
  const textOf = (element) => {
    if (!element) return '';
    const copy = element.cloneNode(true);
    copy.querySelectorAll('sup, svg, .spoken').forEach((mark) => mark.remove());
    return copy.textContent.replace(/\\s+/gu, ' ').trim();
  };
  const textsOf = (row) =>
    row ? [...row.querySelectorAll(':scope > th, :scope > td')].map(textOf) : [];
  const pairsOf = (list, label, value) =>
    [...document.querySelectorAll(list)].map((pair) => [
      textOf(pair.querySelector(label)),
      textOf(pair.querySelector(value)),
    ]);
  return {
    tables: [...document.querySelectorAll('table')].map((table) => ({
      caption: table.caption ? table.caption.textContent : '',
      total: textsOf(table.tFoot && table.tFoot.rows[0]),
    })),
    figures: pairsOf('dl.figures > div', 'dt', 'dd'),
    cards: pairsOf('.cards > li', '.label', '.value'),
  };
})()`;

/** The figures that a reader of the page sees. */
export function pageFigures(page: Page): Promise<PageFigures> {
  return page.evaluate<PageFigures>(readFigures);
}
