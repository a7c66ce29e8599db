import { tableScript } from './table-script.ts';

/** How many folded rows are laid out at once; a press brings the next ones. */
const rowsAtOnce = 1000;

/**
 * What a browser that runs scripts adds: sorting by a column, finding rows, unfolding a long table, and
 * the columns that a narrow page hides. The page is whole without it, but for rows that other files have.
 */
export const script = `'use strict';
(() => {
  const root = document.documentElement;
  const { decimal, digits, locale } = root.dataset;
  const atOnce = ${rowsAtOnce};
  const count = (number) => new Intl.NumberFormat(locale).format(number);
  root.classList.add('js');

  const button = (content, act) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.append(...content);
    made.addEventListener('click', () => act(made));
    return made;
  };

${tableScript}
  const watch = new ResizeObserver((entries) => {
    entries.forEach(({ target }) => {
      const scroll = target.closest('.scroll');
      if (scroll.scrollWidth > scroll.clientWidth) scroll.tabIndex = 0;
      else scroll.removeAttribute('tabindex');
    });
  });
  document.querySelectorAll('.scroll').forEach((scroll) => {
    const table = scroll.querySelector('table');
    watch.observe(scroll);
    watch.observe(table);
    if (!/(^| )m\\d/.test(table.className)) return;
    const more = button(['More columns'], (made) => {
      const isAll = table.classList.toggle('all');
      made.textContent = isAll ? 'Fewer columns' : 'More columns';
      made.setAttribute('aria-expanded', isAll);
    });
    more.className = 'more';
    more.setAttribute('aria-expanded', 'false');
    scroll.before(more);
  });
})();
`;
