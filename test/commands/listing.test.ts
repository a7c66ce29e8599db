import { describe, expect, it } from 'vitest';
import { listing, type Listing } from '../../src/commands/listing.ts';
import { hostileText, terminal } from './terminal.ts';

interface Parcel {
  readonly id: string;
  readonly to: string | null;
  readonly items: number;
  readonly why?: string;
}

const parcels: Listing<Parcel> = {
  rows: [
    { id: 'a1', to: 'Anna Lindqvist', items: 1_204 },
    { id: 'a2', to: hostileText, items: 7, why: 'no such address' },
    { id: 'a3', to: null, items: 0, why: ' ' },
  ],
  columns: [
    ['Parcel', ({ id }) => id],
    ['To', ({ to }) => to, { paint: ({ items }, { red }) => (items === 7 ? red : String) }],
    ['Items', ({ items }) => items],
    ['Why', ({ why }) => why],
  ],
};

function lines(list: Listing<Parcel>, changes: Parameters<typeof terminal>[0] = {}): string[] {
  return listing(list, terminal(changes)).split('\n');
}

describe('a list of a command', () => {
  it('is a table with figures on the right, harmless texts, and a dash for what is missing', () => {
    expect(lines(parcels)).toEqual([
      'Parcel  To               Items  Why',
      '──────  ───────────────  ─────  ───────────────',
      'a1      Anna Lindqvist   1,204  –',
      'a2      ␛[2J�evil ␇�31m      7  no such address',
      'a3      –                    0  –',
    ]);
  });

  it('adds the colour of a cell only to its text', () => {
    const row = lines(parcels, { hasColor: true })[3];
    expect(row).toBe('a2      \u001b[31m␛[2J�evil ␇�31m\u001b[39m      7  no such address');
  });

  it('says what it has to say of no rows', () => {
    expect(listing({ ...parcels, rows: [], empty: 'No parcels.' }, terminal())).toBe('No parcels.');
  });

  it('cuts words and then leaves out columns where the table is too wide, and names them', () => {
    expect(lines(parcels, { width: 44 })[2]).toBe('a1      Anna Lindqvi…  1,204  –');
    expect(lines(parcels, { width: 27 })).toEqual([
      'Parcel  To            Items',
      '──────  ────────────  ─────',
      'a1      Anna Lindqv…  1,204',
      'a2      ␛[2J�evil ␇…      7',
      'a3      –                 0',
      '1 more column: Why',
    ]);
  });

  it('leaves out first, without a word, what another column says too', () => {
    const [first, ...columns] = parcels.columns;
    if (!first) throw new Error('no column');
    const again: Listing<Parcel> = {
      ...parcels,
      columns: [first, ['Number', ({ id }) => id.slice(1), { isRepeated: true }], ...columns],
    };
    expect(lines(again, { width: 60 })[0]).toBe('Parcel  Number  To               Items  Why');
    expect(lines(again, { width: 50 })).toEqual(lines(parcels, { width: 50 }));
  });

  it('shows the text of a group only in its first row', () => {
    const grouped: Listing<string> = {
      rows: ['a1', 'a2', 'b1'],
      columns: [
        ['Group', (id) => id[0], { isGroup: true }],
        ['Id', (id) => id],
      ],
    };
    expect(listing(grouped, terminal())).toBe(
      ['Group  Id', '─────  ──', 'a      a1', '       a2', 'b      b1'].join('\n'),
    );
  });

  it('becomes a block of lines for each row where texts are needed whole', () => {
    expect(lines({ ...parcels, ifTooWide: 'blocks' }, { width: 30 })).toEqual([
      'a1',
      '  To     Anna Lindqvist',
      '  Items  1,204',
      '',
      'a2',
      '  To     ␛[2J�evil ␇�31m',
      '  Items  7',
      '  Why    no such address',
      '',
      'a3',
      '  Items  0',
    ]);
  });

  it('stays a table if its texts fit when they are cut as far as they may be', () => {
    const [parcel, to, items] = parcels.columns;
    if (!parcel || !to || !items) throw new Error('no column');
    const list: Listing<Parcel> = {
      ...parcels,
      columns: [parcel, to, items, ['Why', ({ why }) => why, { minWidth: 6 }]],
      ifTooWide: 'blocks',
    };
    expect(lines(list, { width: 44 })[3]).toBe('a2      ␛[2J�evil ␇�31m      7  no such add…');
  });
});
