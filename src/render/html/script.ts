/**
 * What a browser that runs scripts adds: sorting by a column, finding posts, folding the middle of a
 * long table, and the columns that a narrow page hides. The page is whole without it.
 */
export const script = `'use strict';
(() => {
  const root = document.documentElement;
  const { decimal, digits } = root.dataset;
  root.classList.add('js');

  const button = (text, act) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.append(...text);
    made.addEventListener('click', () => act(made));
    return made;
  };

  const numberIn = (text) => {
    const read = (c) => (c === '\\u2212' ? '-' : c === decimal ? '.' : digits.includes(c) ? digits.indexOf(c) : '');
    return Number([...text].map(read).join(''));
  };
  const keyOf = (cell, kind) => {
    if (!cell || cell.querySelector('.null')) return null;
    const value = cell.dataset.v;
    if (value !== undefined) return isNaN(value) ? value : Number(value);
    return kind === 'number' ? numberIn(cell.textContent) : cell.textContent;
  };
  const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : a - b);

  const sort = (head) => {
    const table = head.closest('table');
    const kind = head.dataset.sort;
    const now = head.getAttribute('aria-sort');
    const isRising = now ? now === 'descending' : kind === 'text';
    const rows = [...table.querySelectorAll('tbody:not(.gap) > tr')];
    const keyed = rows.map((row) => [keyOf(row.cells[head.cellIndex], kind), row]);
    keyed.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return isRising ? compare(a, b) : compare(b, a);
    });
    const [first, ...rest] = table.tBodies;
    first.append(...keyed.map(([, row]) => row));
    // Emptied, with the line that they were folded under; a line on rows outside the page stays.
    const isSpent = (body) => body.rows.length === 0 || body.nextElementSibling?.matches('.rest');
    rest.filter(isSpent).forEach((body) => body.remove());
    table.querySelectorAll('th[aria-sort]').forEach((other) => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', isRising ? 'ascending' : 'descending');
  };
  document.querySelectorAll('th[data-sort]').forEach((head) => {
    if (!head.closest('table').querySelector('.empty')) head.append(button([...head.childNodes], () => sort(head)));
  });

  document.querySelectorAll('.gap').forEach((gap) => {
    const rest = gap.nextElementSibling;
    if (!rest?.matches('.rest')) return;
    const toggle = button(['Show'], (made) => {
      const isOpen = rest.classList.toggle('open');
      made.textContent = isOpen ? 'Hide' : 'Show';
      made.setAttribute('aria-expanded', isOpen);
    });
    toggle.setAttribute('aria-expanded', 'false');
    gap.rows[0].cells[1].append(' ', toggle);
  });

  const plain = (text) => text.normalize('NFKC').toLowerCase();
  document.querySelectorAll('.find').forEach((find) => {
    const table = find.nextElementSibling.querySelector('table');
    const input = find.querySelector('input');
    const rows = [...table.querySelectorAll('tbody:not(.gap) > tr')];
    const texts = rows.map((row) => plain(row.cells[1].textContent));
    const show = () => {
      const wanted = plain(input.value.trim());
      table.classList.toggle('found', wanted !== '');
      rows.forEach((row, index) => (row.hidden = !texts[index].includes(wanted)));
      const count = rows.filter((row) => !row.hidden).length;
      find.querySelector('output').textContent = wanted === '' ? '' : count + ' of ' + rows.length;
    };
    input.addEventListener('input', show);
    find.hidden = false;
  });

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
