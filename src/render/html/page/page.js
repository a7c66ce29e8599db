'use strict';
(() => {
  const root = document.documentElement;
  const { decimal, digits, locale } = root.dataset;
  const words = document.body.dataset;
  /** A phrase of the page, with the values that it names as `{n:text}`. */
  const say = (phrase, values) => phrase.replace(/\{(\w+):text\}/g, (_, name) => values[name]);
  /** How many of the posts behind a row are shown at once. */
  const postsAtOnce = 10;
  const count = (number) => new Intl.NumberFormat(locale).format(number);
  root.classList.add('js');

  const button = (content, act) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.append(...content);
    made.addEventListener('click', () => act(made));
    return made;
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

  /** The row of posts below each row that is unfolded. */
  const unfolded = new Map();
  const withPosts = (row) => (unfolded.has(row) ? [row, unfolded.get(row)] : [row]);
  /** The table that lists the posts, to which rows unfold: its heads, the index of its figure, and its rows. */
  const postTable = (() => {
    const table = document.querySelector('[data-list] table');
    if (!table) return null;
    const heads = [...table.tHead.rows[0].cells];
    const key = heads.findIndex((head) => head.hasAttribute('aria-sort'));
    return { heads, key, rows: [...table.querySelectorAll('tbody:not(.gap) > tr')] };
  })();

  const make = (name, content) => {
    const element = document.createElement(name);
    element.append(...content);
    return element;
  };

  /** A post as an item: its text and origin, and the figure that the list is sorted by, if it is. */
  const postItem = (row) => {
    const cells = [row.querySelector('th'), row.cells[postTable.key]].filter(Boolean);
    const item = make(
      'li',
      cells.map((cell) => make('div', cell.cloneNode(true).childNodes)),
    );
    item.querySelectorAll('sup').forEach((letter) => letter.remove());
    return item;
  };

  const showPosts = (list, rows, from = 0) => {
    const items = rows.slice(from, from + postsAtOnce).map(postItem);
    list.append(...items);
    const left = rows.length - from - items.length;
    if (left > 0) {
      const values = { n: count(Math.min(left, postsAtOnce)), all: count(rows.length) };
      const more = button([say(words.next, values)], () => {
        more.remove();
        showPosts(list, rows, from + postsAtOnce).focus();
      });
      list.after(more);
    }
    items[0].tabIndex = -1;
    return items[0];
  };

  /** The row with the posts behind another one. */
  const rowOfPosts = (head, columns, posts) => {
    const { heads, key } = postTable;
    const titles = [heads[1], heads[key]].filter(Boolean);
    const title = titles.map(({ textContent }) => make('span', [textContent]));
    const list = make('ol', []);
    list.setAttribute('aria-label', head.textContent);
    const cell = make('td', [make('p', title), list]);
    cell.colSpan = columns;
    showPosts(list, posts);
    const row = make('tr', [cell]);
    row.className = 'behind';
    return row;
  };

  /** Makes the head of a row with posts a button; a link stays one. */
  const makeUnfoldable = (row) => {
    const [head] = row.cells;
    if (head.querySelector('a')) return;
    const posts = row.dataset.posts.split(' ').map((index) => postTable.rows[index]);
    const toggle = button([...head.childNodes], () => {
      const isOpen = !unfolded.has(row);
      toggle.setAttribute('aria-expanded', isOpen);
      unfolded.get(row)?.remove();
      if (!isOpen) return unfolded.delete(row);
      unfolded.set(row, rowOfPosts(head, row.cells.length, posts));
      row.after(unfolded.get(row));
    });
    toggle.setAttribute('aria-expanded', 'false');
    head.append(toggle);
  };
  document.querySelectorAll('tr[data-posts]').forEach(makeUnfoldable);

  /** Rows that are folded under a line appear when it is pressed. */
  const makeOpenable = (gap) => {
    const toggle = button([words.show], () => {
      const isOpen = gap.classList.toggle('open');
      toggle.textContent = isOpen ? words.hide : words.show;
      toggle.setAttribute('aria-expanded', isOpen);
    });
    toggle.setAttribute('aria-expanded', 'false');
    gap.classList.add('live');
    gap.querySelector('.elsewhere').after(' ', toggle);
  };
  document.querySelectorAll('.gap:has(+ .folded)').forEach(makeOpenable);

  const enhance = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const givenOrder = heads.find((head) => head.hasAttribute('aria-sort'));
    const before = table.closest('.scroll').previousElementSibling;
    const field = before?.matches('.find') ? before : null;
    const input = field?.querySelector('input');
    /** The bodies with rows, folded ones too, each with its rows in the order of the table. */
    const groups = [...table.tBodies]
      .filter((body) => !body.matches('.gap'))
      .map((body) => ({ body, rows: [...body.rows] }));
    const all = groups.flatMap(({ rows }) => rows);
    /** Holds the rows that are found or sorted, while all other bodies are hidden. */
    const list = make('tbody', []);
    list.className = 'list';
    let sorted = all;

    const render = () => {
      const wanted = input ? plain(input.value) : '';
      const found = wanted === '' ? sorted : sorted.filter((row) => textOf(row).includes(wanted));
      if (field) {
        const counts = { n: count(found.length), all: count(all.length) };
        field.querySelector('output').textContent = wanted === '' ? '' : say(words.found, counts);
      }
      groups.forEach(({ body, rows }) => body.replaceChildren(...rows.flatMap(withPosts)));
      const isListed = sorted !== all || wanted !== '';
      table.classList.toggle('listed', isListed);
      list.remove();
      if (!isListed) return;
      list.replaceChildren(...found.flatMap(withPosts));
      table.tBodies[0].before(list);
    };

    /** A head sorts one way, then the other; a third press brings back the order in which the rows came. */
    const sort = (head) => {
      const kind = head.dataset.sort;
      const now = head.getAttribute('aria-sort');
      const first = kind === 'text' ? 'ascending' : 'descending';
      const second = kind === 'text' ? 'descending' : 'ascending';
      const order = now === null ? first : now === first ? second : null;
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      (order === null ? givenOrder : head)?.setAttribute('aria-sort', order ?? 'descending');
      const keyed = all.map((row) => [
        keyOf(row.cells[head.cellIndex], kind),
        row,
        row.cells[0].matches('.plain'),
      ]);
      keyed.sort(([a, , isLast], [b, , isLastToo]) => {
        if (isLast !== isLastToo) return isLast - isLastToo;
        if (a === null || b === null) return (a === null) - (b === null);
        return order === 'ascending' ? compare(a, b) : compare(b, a);
      });
      sorted = order === null ? all : keyed.map(([, row]) => row);
      render();
    };

    heads
      .filter((head) => head.dataset.sort)
      .forEach((head) => head.append(button([...head.childNodes], () => sort(head))));
    if (!field) return;
    input.addEventListener('input', render);
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
