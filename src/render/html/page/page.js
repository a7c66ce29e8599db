'use strict';
(() => {
  const root = document.documentElement;
  const { decimal, digits, locale } = root.dataset;
  const words = document.body.dataset;
  /** A phrase of the page, with the values that it names as `{n:text}`. */
  const say = (phrase, values) => phrase.replace(/\{(\w+):text\}/g, (_, name) => values[name]);
  /** How many rows are laid out at once; a press brings the next ones. */
  const rowsAtOnce = 1000;
  const count = (number) => new Intl.NumberFormat(locale).format(number);
  root.classList.add('js');

  const button = (content, act) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.append(...content);
    made.addEventListener('click', () => act(made));
    return made;
  };

  /** Folded rows, which come compressed after their table. */
  const unpack = async (packed) => {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const template = document.createElement('template');
    template.innerHTML = `<table>${await new Response(stream).text()}</table>`;
    return [...template.content.querySelectorAll('tr')];
  };

  const numberIn = (text) => {
    const signs = { '\u2212': '-', [decimal]: '.' };
    const plain = Array.from(
      text,
      (c) => signs[c] ?? (digits.includes(c) ? digits.indexOf(c) : ''),
    );
    return Number(plain.join(''));
  };

  /** What a cell is compared by; null for an unknown value. */
  const keyOf = (cell, kind) => {
    if (cell.querySelector('.null')) return null;
    const given = cell.dataset.v;
    if (given !== undefined) return isNaN(given) ? given : Number(given);
    return kind === 'number' ? numberIn(cell.textContent) : cell.textContent;
  };
  const collate = new Intl.Collator(root.lang, { numeric: true }).compare;
  const compare = (a, b) => (typeof a === 'string' ? collate(a, b) : a - b);

  const plain = (text) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  const textOf = (row) => {
    const tips = [...row.querySelectorAll('small[title]')].map((tip) => tip.title);
    return plain([...row.cells].map((cell) => cell.textContent).join(' ') + ' ' + tips.join(' '));
  };

  /** Shows rows in a body; each press of the button brings the next ones, and goes on where they begin. */
  const fill = (body, rows, from = 0) => {
    const next = rows.slice(from, from + rowsAtOnce);
    body.append(...next);
    const left = rows.length - from - next.length;
    if (left === 0) return;
    const last = body.insertRow();
    const cell = last.insertCell();
    cell.colSpan = body.closest('table').tHead.rows[0].cells.length;
    last.className = 'next';
    const [n, all] = [count(Math.min(left, rowsAtOnce)), count(rows.length)];
    const label = say(words.next, { n, all });
    const more = button([label], () => {
      last.remove();
      fill(body, rows, from + rowsAtOnce);
      rows[from + rowsAtOnce].tabIndex = -1;
      rows[from + rowsAtOnce].focus();
    });
    cell.append(more);
  };

  const enhance = (table) => {
    const scroll = table.closest('.scroll');
    const packed = scroll.querySelector('.rows');
    if (packed && !window.DecompressionStream) return;
    const heads = [...table.tHead.rows[0].cells];
    const givenOrder = heads.find((head) => head.hasAttribute('aria-sort'));
    const field = scroll.previousElementSibling?.matches('.find')
      ? scroll.previousElementSibling
      : null;
    const input = field?.querySelector('input');
    const list = document.createElement('tbody');
    list.className = 'list';
    /** Each body's rows, in the order of the table; `shown` is where a folded one unfolds. */
    let groups = null;
    let sorted = null;

    const read = async () => {
      const folded = packed ? await unpack(packed.textContent) : [];
      groups ??= [...table.tBodies].map((body) => {
        if (!body.matches('.gap')) return { body, shown: body, rows: [...body.rows] };
        const shown = document.createElement('tbody');
        return { body, shown, rows: folded.splice(0, Number(body.dataset.rows ?? 0)) };
      });
    };

    const render = () => {
      const wanted = input ? plain(input.value) : '';
      const all = sorted ?? groups.flatMap(({ rows }) => rows);
      const found = wanted === '' ? all : all.filter((row) => textOf(row).includes(wanted));
      if (field) {
        const counts = { n: count(found.length), all: count(all.length) };
        field.querySelector('output').textContent = wanted === '' ? '' : say(words.found, counts);
      }
      const isListed = sorted !== null || wanted !== '';
      table.classList.toggle('listed', isListed);
      list.replaceChildren();
      list.remove();
      for (const { body, shown, rows } of groups) {
        if (shown !== body) {
          shown.replaceChildren();
          shown.remove();
          if (!isListed && body.matches('.open')) body.after(shown);
        }
        if (!isListed && shown.isConnected) fill(shown, rows);
      }
      if (!isListed) return;
      table.tBodies[0].before(list);
      fill(list, found);
    };

    const unfold = (gap) => {
      const toggle = button([words.show], async (made) => {
        await read();
        const isOpen = gap.classList.toggle('open');
        made.textContent = isOpen ? words.hide : words.show;
        made.setAttribute('aria-expanded', isOpen);
        render();
      });
      toggle.setAttribute('aria-expanded', 'false');
      gap.classList.add('live');
      gap.querySelector('.elsewhere').after(' ', toggle);
    };

    /** A head sorts one way, then the other; a third press brings back the order in which the rows came. */
    const sort = async (head) => {
      await read();
      const kind = head.dataset.sort;
      const now = head.getAttribute('aria-sort');
      const first = kind === 'text' ? 'ascending' : 'descending';
      const second = kind === 'text' ? 'descending' : 'ascending';
      const order = now === null ? first : now === first ? second : null;
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      (order === null ? givenOrder : head)?.setAttribute('aria-sort', order ?? 'descending');
      const keyed = groups
        .flatMap(({ rows }) => rows)
        .map((row) => [
          keyOf(row.cells[head.cellIndex], kind),
          row,
          row.cells[0].matches('.plain'),
        ]);
      keyed.sort(([a, , isLast], [b, , isLastToo]) => {
        if (isLast !== isLastToo) return isLast - isLastToo;
        if (a === null || b === null) return (a === null) - (b === null);
        return order === 'ascending' ? compare(a, b) : compare(b, a);
      });
      sorted = order === null ? null : keyed.map(([, row]) => row);
      render();
    };

    table.querySelectorAll('.gap[data-rows]').forEach(unfold);
    heads
      .filter((head) => head.dataset.sort)
      .forEach((head) => head.append(button([...head.childNodes], () => sort(head))));
    if (!field) return;
    input.addEventListener('input', async () => {
      await read();
      render();
    });
    field.hidden = false;
  };
  document.querySelectorAll('table').forEach(enhance);

  /** Only what scrolls takes the focus, and offers the columns that a narrow page hides. */
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
    if (!/(^| )m\d/.test(table.className)) return;
    const more = button([words.more], (made) => {
      const isAll = table.classList.toggle('all');
      made.textContent = isAll ? words.fewer : words.more;
      made.setAttribute('aria-expanded', isAll);
    });
    more.className = 'more';
    more.setAttribute('aria-expanded', 'false');
    scroll.before(more);
  });
})();
