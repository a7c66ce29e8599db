'use strict';
(() => {
  const root = document.documentElement;
  const { decimal, digits, locale } = root.dataset;
  const atOnce = 1000;
  const count = (number) => new Intl.NumberFormat(locale).format(number);
  root.classList.add('js');

  const button = (content, act) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.append(...content);
    made.addEventListener('click', () => act(made));
    return made;
  };

  const inflate = async (packed) => {
    const data = atob(packed);
    const bytes = new Uint8Array(data.length);
    for (let i = 0; i < data.length; i += 1) bytes[i] = data.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const text = await new Response(stream).text();
    const end = text.indexOf('\n');
    const phrases = JSON.parse(text.slice(0, end));
    return text
      .slice(end + 1)
      .replace(/[^\P{Cc}\t\n]/gu, (c) => phrases[c])
      .split('\n');
  };

  const marks = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
  const decode = (html) => html.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name) => marks[name]);
  const textOf = (html) => decode(html.replace(/<(?:"[^"]*"|[^">])*>/g, ''));
  const titleOf = (html) => decode(/ title="([^"]*)"/.exec(html)?.[1] ?? '');
  const cellOf = (row, place) => row.html.split(/<t[hd]\b/, place + 2)[place + 1];
  const numberIn = (text) => {
    let plain = '';
    for (const c of text) {
      if (c === '\u2212') plain += '-';
      else if (c === decimal) plain += '.';
      else if (digits.includes(c)) plain += digits.indexOf(c);
    }
    return Number(plain);
  };
  const keyOf = (cell, kind) => {
    if (cell === undefined || cell.includes('class="null"')) return null;
    const end = cell.indexOf('>');
    const given = /data-v="([^"]*)"/.exec(cell.slice(0, end));
    if (given) return isNaN(given[1]) ? given[1] : Number(given[1]);
    const text = textOf(cell.slice(end + 1));
    return kind === 'number' ? numberIn(text) : text;
  };
  const nameless = /^<tr><th scope="row" class="plain"/;
  const words = new Intl.Collator(root.lang, { numeric: true }).compare;
  const compare = (a, b) => (typeof a === 'string' ? words(a, b) : a - b);
  const plain = (text) => text.normalize('NFKC').toLowerCase();

  // Each press shows the next rows, and goes on where they begin.
  const fill = (body, rows, from) => {
    const next = rows.slice(from, from + atOnce);
    body.insertAdjacentHTML('beforeend', next.map(({ html }) => html).join(''));
    const left = rows.length - from - next.length;
    if (left === 0) return;
    const row = body.insertRow();
    const cell = row.insertCell();
    cell.colSpan = body.closest('table').tHead.rows[0].cells.length;
    row.className = 'next';
    cell.append(
      button(['Show ' + count(Math.min(left, atOnce)) + ' more of ' + count(rows.length)], () => {
        row.remove();
        fill(body, rows, from + atOnce);
        const first = body.rows[from];
        first.tabIndex = -1;
        first.focus();
      }),
    );
  };

  document.querySelectorAll('table').forEach((table) => {
    const scroll = table.closest('.scroll');
    const packed = scroll.querySelector('.rows');
    if (table.querySelector('.empty') || (packed && !window.DecompressionStream)) return;
    const bodies = [...table.tBodies];
    const list = document.createElement('tbody');
    list.className = 'list';
    let reading = null;
    let all = [];
    let ordered = [];

    const read = async () => {
      const lines = packed ? await inflate(packed.textContent) : [];
      let used = 0;
      for (const body of bodies) {
        const own = Number(body.dataset.rows ?? 0);
        const gap = lines.slice(used, used + own).map((html) => ({ html }));
        used += own;
        body.gap = gap;
        if (!body.matches('.gap'))
          gap.push(...[...body.rows].map((row) => ({ html: row.outerHTML })));
        all = all.concat(gap);
      }
      ordered = all;
    };
    const once = () => (reading ??= read());

    const show = (rows) => {
      table.classList.toggle('listed', rows !== null);
      list.replaceChildren();
      if (rows === null) return list.remove();
      bodies[0].before(list);
      fill(list, rows, 0);
    };

    bodies
      .filter((body) => body.dataset.rows)
      .forEach((gap) => {
        const rest = document.createElement('tbody');
        const toggle = button(['Show'], async (made) => {
          await once();
          const isOpen = !rest.isConnected;
          if (isOpen) {
            gap.after(rest);
            fill(rest, gap.gap, 0);
          } else {
            rest.replaceChildren();
            rest.remove();
          }
          gap.classList.toggle('open', isOpen);
          made.textContent = isOpen ? 'Hide' : 'Show';
          made.setAttribute('aria-expanded', isOpen);
        });
        toggle.setAttribute('aria-expanded', 'false');
        gap.classList.add('live');
        gap.rows[0].lastElementChild.append(' ', toggle);
      });

    const find = scroll.previousElementSibling;
    const field = find?.matches('.find') ? find : null;
    const input = field?.querySelector('input');
    const heads = [...table.tHead.rows[0].cells];
    const searched = heads.flatMap((head, place) => (head.dataset.sort === 'text' ? [place] : []));
    const given = heads.find((head) => head.hasAttribute('aria-sort'));
    let isSorted = false;

    const refresh = () => {
      const wanted = input ? plain(input.value.trim()) : '';
      if (wanted === '') {
        if (field) field.querySelector('output').textContent = '';
        return show(isSorted ? ordered : null);
      }
      const found = ordered.filter((row) => {
        row.text ??= searched
          .map((place) => '<' + cellOf(row, place))
          .map((html) => plain(textOf(html) + ' ' + titleOf(html)))
          .join(' ');
        return row.text.includes(wanted);
      });
      field.querySelector('output').textContent = count(found.length) + ' of ' + count(all.length);
      show(found);
    };

    // A head sorts one way, then the other; a third press brings back the order in which the rows came.
    const sort = async (head) => {
      await once();
      const kind = head.dataset.sort;
      const now = head.getAttribute('aria-sort');
      const first = kind === 'text' ? 'ascending' : 'descending';
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      isSorted = !now || now === first;
      if (isSorted) {
        const isRising = (first === 'ascending') === !now;
        const keyed = all.map((row) => [
          keyOf(cellOf(row, head.cellIndex), kind),
          row,
          nameless.test(row.html),
        ]);
        keyed.sort(([a, , isLast], [b, , isLastToo]) => {
          if (isLast !== isLastToo) return isLast - isLastToo;
          if (a === null || b === null) return (a === null) - (b === null);
          return isRising ? compare(a, b) : compare(b, a);
        });
        ordered = keyed.map(([, row]) => row);
        head.setAttribute('aria-sort', isRising ? 'ascending' : 'descending');
      } else {
        ordered = all;
        given?.setAttribute('aria-sort', 'descending');
      }
      refresh();
    };
    heads
      .filter((head) => head.dataset.sort)
      .forEach((head) => {
        head.append(button([...head.childNodes], () => sort(head)));
      });

    if (!field) return;
    input.addEventListener('input', async () => {
      await once();
      refresh();
    });
    field.hidden = false;
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
    if (!/(^| )m\d/.test(table.className)) return;
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
