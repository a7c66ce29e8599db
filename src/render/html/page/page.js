'use strict';
(() => {
  const root = document.documentElement;
  const { decimal, digits, locale } = root.dataset;
  const words = document.body.dataset;
  /** A phrase of the page, with the values that it names as `{n:text}`. */
  const say = (phrase, values) => phrase.replace(/\{(\w+):text\}/g, (_, name) => values[name]);
  /** How many rows are laid out at once; a press brings the next ones. */
  const rowsAtOnce = 1000;
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

  const inflate = (packed) => {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Response(stream).text();
  };

  /** Folded rows, which come compressed after their table. */
  const unpack = async (packed) => {
    const template = document.createElement('template');
    template.innerHTML = `<table>${await inflate(packed)}</table>`;
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

  /** The row of posts below each row that is unfolded. */
  const unfolded = new Map();
  const withPosts = (row) => (unfolded.has(row) ? [row, unfolded.get(row)] : [row]);
  const nextLabel = (left, step, all) =>
    say(words.next, { n: count(Math.min(left, step)), all: count(all) });

  /** Shows rows in a body; each press of the button brings the next ones, and goes on where they begin. */
  const fill = (body, rows, from = 0) => {
    const next = rows.slice(from, from + rowsAtOnce);
    body.append(...next.flatMap(withPosts));
    const left = rows.length - from - next.length;
    if (left === 0) return;
    const last = body.insertRow();
    const cell = last.insertCell();
    cell.colSpan = body.closest('table').tHead.rows[0].cells.length;
    last.className = 'next';
    const more = button([nextLabel(left, rowsAtOnce, rows.length)], () => {
      last.remove();
      fill(body, rows, from + rowsAtOnce);
      rows[from + rowsAtOnce].tabIndex = -1;
      rows[from + rowsAtOnce].focus();
    });
    cell.append(more);
  };

  /** The table that lists all posts, to which rows unfold. */
  let postTable = null;

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
      const more = button([nextLabel(left, postsAtOnce, rows.length)], () => {
        more.remove();
        showPosts(list, rows, from + postsAtOnce).focus();
      });
      list.after(more);
    }
    items[0].tabIndex = -1;
    return items[0];
  };

  /** The row with the posts behind another one, which appear as soon as they are unpacked. */
  const rowOfPosts = (head, columns, places) => {
    const { heads, key, rows } = postTable;
    const titles = [heads[1], heads[key]].filter(Boolean);
    const title = titles.map(({ textContent }) => make('span', [textContent]));
    const list = make('ol', []);
    list.setAttribute('aria-label', head.textContent);
    const cell = make('td', [make('p', title), list]);
    cell.colSpan = columns;
    rows().then((all) => {
      const posts = places.map((place) => all[place]);
      showPosts(list, posts);
    });
    const row = make('tr', [cell]);
    row.className = 'behind';
    return row;
  };

  /** Makes the head of a row with posts a button, once; a link stays one. */
  const makeUnfoldable = (row, places) => {
    const [head] = row.cells;
    if (places.length === 0 || head.querySelector('a, button')) return;
    const toggle = button([...head.childNodes], () => {
      const isOpen = !unfolded.has(row);
      toggle.setAttribute('aria-expanded', isOpen);
      unfolded.get(row)?.remove();
      if (!isOpen) return unfolded.delete(row);
      unfolded.set(row, rowOfPosts(head, row.cells.length, places));
      row.after(unfolded.get(row));
    });
    toggle.setAttribute('aria-expanded', 'false');
    head.append(toggle);
  };

  /** The tables by name. */
  const tables = new Map();

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
    const groups = [...table.tBodies].map((body) => {
      if (!body.matches('.gap')) return { body, shown: body, rows: [...body.rows], folded: 0 };
      const shown = document.createElement('tbody');
      return { body, shown, rows: [], folded: Number(body.dataset.rows ?? 0) };
    });
    let sorted = null;

    let reading = null;
    const read = () => (reading ??= readFolded());
    const readFolded = async () => {
      const rows = packed ? await unpack(packed.textContent) : [];
      groups
        .filter(({ folded }) => folded > 0)
        .forEach((group) => (group.rows = rows.splice(0, group.folded)));
      offerPosts();
    };

    /** The posts behind each row, in the order of the table. */
    let posts = [];
    const offerPosts = () => {
      let place = 0;
      for (const { rows, folded } of groups) {
        rows.forEach((row, at) => makeUnfoldable(row, posts[place + at] ?? []));
        place += folded || rows.length;
      }
    };
    tables.set(scroll.dataset.name, {
      heads,
      key: heads.indexOf(givenOrder),
      rows: () => read().then(() => groups.flatMap(({ rows }) => rows)),
      setPosts: (lists) => {
        posts = lists;
        offerPosts();
      },
    });

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

  /** The posts of each row, from the rows of each post. */
  const postsOfRows = (rowsOfPosts) => {
    const lists = [];
    rowsOfPosts.split(',').forEach((rows, post) => {
      for (const row of rows.match(/\d+/g) ?? []) (lists[row] ??= []).push(post);
    });
    return lists;
  };
  const behind = document.querySelector('script.behind');
  if (behind && window.DecompressionStream)
    inflate(behind.textContent).then((text) => {
      const { list, rows } = JSON.parse(text);
      postTable = tables.get(list);
      for (const [name, rowsOfPosts] of Object.entries(rows))
        tables.get(name)?.setPosts(postsOfRows(rowsOfPosts));
    });

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
