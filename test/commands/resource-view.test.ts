import { describe, expect, it } from 'vitest';
import { resourceLines } from '../../src/commands/resource-view.ts';
import { terminalWidth } from '../../src/core/terminal-width.ts';
import { hostileText, terminal } from './terminal.ts';

const id = '7f8de9f6-08d8-4f51-9b0d-5f8fbd36a001';
const ada = { id, firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
const shownHostile = '␛[2J�evil␍␇�31m';

function view(resource: unknown, changes: Parameters<typeof terminal>[0] = {}): string {
  return resourceLines(resource, terminal(changes)).join('\n');
}

describe('a resource of the API on a terminal', () => {
  it('shows its fields under their own names, and parts indented below them', () => {
    const image = { id, name: 'cover.png', url: 'https://cdn.example.com/cover.png', width: 1200 };
    const post = {
      title: 'Autumn collection',
      channels: ['LinkedIn', 'Twitter'],
      publishAt: '2026-01-15T12:05:00.000Z',
      publishDate: null,
      isBlocking: false,
      labels: [{ id, name: 'Launch', color: '#fff' }],
      requestedBy: ada,
      linkedIn: { profile: { id, name: 'Fjord & Pine' }, copy: 'One.\n\nTwo.', assets: [image] },
      x: { tweets: [{ copy: 'First', assets: [] }, { copy: '' }] },
    };
    expect(view(post)).toBe(`title        Autumn collection
channels     LinkedIn, Twitter
publishAt    2026-01-15 13:05 +01:00
publishDate  –
isBlocking   no
labels       Launch
requestedBy  Ada Lovelace <ada@example.com>

linkedIn
  profile  Fjord & Pine
  copy     One.

           Two.

  assets
    id     ${id}
    name   cover.png
    url    https://cdn.example.com/cover.png
    width  1200

x
  tweets
    copy    First
    assets  –

    copy  –`);
  });

  it('has heads in bold and names of fields dimmed', () => {
    expect(view({ status: 'ToDo', parts: [{ a: 1 }] }, { hasColor: true }).split('\n')).toEqual([
      '\u001b[2mstatus\u001b[22m  ToDo',
      '',
      '\u001b[1mparts\u001b[22m',
      '  \u001b[2ma\u001b[22m  1',
    ]);
  });

  it('names the people that a message mentions', () => {
    expect(view({ message: `Is it right, @[Ada (Oslo) [QA]](${id})? @[Bo](a b)` })).toBe(
      'message  Is it right, @Ada (Oslo) [QA]? @[Bo](a b)',
    );
    expect(view({ message: '@[x](a'.repeat(20_000) }, { width: null })).toHaveLength(120_009);
  });

  it('shows terminal control sequences instead of executing them, and cannot imitate a field', () => {
    const hostile = {
      [hostileText]: hostileText,
      user: { ...ada, lastName: `x\ny${hostileText}` },
    };
    const shown = view({ message: `a\nuser  Bo Ek`, ...hostile });
    expect(shown).toContain(shownHostile);
    expect(shown).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
    expect(shown.split('\n').filter((line) => line.startsWith('user'))).toHaveLength(1);
  });

  it('stays within 12 columns, however long it is', () => {
    const lines = view({ copy: '漢字、🎉 wörds '.repeat(250) }, { width: 12 }).split('\n');
    expect(Math.max(...lines.map(terminalWidth))).toBeLessThanOrEqual(12);
  });
});
