import { describe, expect, it } from 'vitest';
import { inlineCommentsView } from '../../src/commands/comments.ts';
import { userId, hostileText, person, place, reply, thread } from './sample-resources.ts';

function text(...lines: string[]): string {
  return lines.join('\n');
}

/** The lines that show a reply's message, after the lines of the thread and before the counts. */
function messageLines(message: string, width: number | null = 80): string[] {
  const view = inlineCommentsView([thread({ replies: [reply({ message })] })], place({ width }));
  return view.split('\n').slice(4, -2);
}

describe('inline comments on a terminal', () => {
  it('are shown by thread with the commented text, the replies, and the number of threads', () => {
    const answered = thread({
      replies: [
        reply({
          reactions: [
            { emoji: '👍', users: [person('Bo', 'Ek'), person('Cy', 'Oh')] },
            { emoji: '🎉', users: Array.from({ length: 4 }, () => person('Di', 'Vo')) },
          ],
        }),
        reply({ user: person('Bo', 'Ek'), message: 'Yes.\n\nI counted.' }),
      ],
    });
    const settled = thread({ resolved: true, channel: 'Twitter', highlightedText: 'two\nlines' });
    expect(inlineCommentsView([answered, settled, thread({ replies: [] })], place())).toBe(
      text(
        'LinkedIn · open',
        '│ eleven people and two winters',
        '',
        '  Ada Lovelace  2026-01-12 09:30 +01:00',
        '    Is this the right figure, @Bo Ek?',
        '    👍 × 2 (Bo Ek, Cy Oh)  🎉 × 4',
        '',
        '  Bo Ek  2026-01-12 09:30 +01:00',
        '    Yes.',
        '',
        '    I counted.',
        '',
        'Twitter · resolved',
        '│ two',
        '│ lines',
        '',
        '  Ada Lovelace  2026-01-12 09:30 +01:00',
        '    Is this the right figure, @Bo Ek?',
        '',
        'LinkedIn · open',
        '│ eleven people and two winters',
        '',
        '  (no replies)',
        '',
        '3 threads, 1 resolved',
      ),
    );
  });

  it('have bold heads, and resolved threads are dimmed', () => {
    const threads = [thread(), thread({ resolved: true })];
    expect(inlineCommentsView(threads, place({ hasColor: true }))).toBe(
      text(
        '\u001b[1mLinkedIn · open\u001b[22m',
        '\u001b[2m│\u001b[22m eleven people and two winters',
        '',
        '  \u001b[1mAda Lovelace\u001b[22m  \u001b[2m2026-01-12 09:30 +01:00\u001b[22m',
        '    Is this the right figure, @Bo Ek?',
        '',
        '\u001b[2mLinkedIn · resolved\u001b[22m',
        '\u001b[2m│ eleven people and two winters\u001b[22m',
        '',
        '\u001b[2m  Ada Lovelace  2026-01-12 09:30 +01:00\u001b[22m',
        '\u001b[2m    Is this the right figure, @Bo Ek?\u001b[22m',
        '',
        '\u001b[1m2 threads, 1 resolved\u001b[22m',
      ),
    );
  });

  it('fit into 40 columns', () => {
    const long = thread({
      highlightedText: 'eleven people and two winters to make it all',
      replies: [
        reply({
          user: person('Wilhelmina Alexandra', 'van der Berg'),
          message: '漢字'.repeat(12),
          reactions: [{ emoji: '👍', users: [person('Bo', 'Ek'), person('Grace', 'Hopper')] }],
        }),
      ],
    });
    expect(inlineCommentsView([long], place({ width: 40 }))).toBe(
      text(
        'LinkedIn · open',
        '│ eleven people and two winters to make',
        '│ it all',
        '',
        '  Wilhelmina Alexandra van der Berg',
        '  2026-01-12 09:30 +01:00',
        `    ${'漢字'.repeat(9)}`,
        '    漢字漢字漢字',
        '    👍 × 2 (Bo Ek, Grace Hopper)',
        '',
        '1 thread, 0 resolved',
      ),
    );
  });

  it('are replaced by the filters when nothing was found', () => {
    expect(inlineCommentsView([], place())).toBe('No inline comments on this post.');
    expect(inlineCommentsView([], place(), { channel: 'Twitter', resolved: false })).toBe(
      'No inline comments with --channel Twitter --resolved false on this post; leave that out to see all.',
    );
    expect(inlineCommentsView([], place(), { resolved: true })).toBe(
      'No inline comments with --resolved true on this post; leave that out to see all.',
    );
  });

  it('contain no terminal control sequences, and cannot imitate another reply', () => {
    const hostile = thread({
      channel: hostileText,
      highlightedText: `a\n\n${hostileText}`,
      replies: [
        reply({
          user: person(hostileText, 'x\ny'),
          message: `@[${hostileText}](id)\n\nBo Ek  2026-01-12 09:31 +01:00\nYes.`,
          reactions: [{ emoji: 'e\u001b['.repeat(20), users: [person(hostileText, '')] }],
        }),
        reply({ message: ' \n', reactions: [{ emoji: '', users: [] }] }),
      ],
    });
    expect(inlineCommentsView([hostile], place())).toBe(
      text(
        '␛[2J�evil ␇�31m · open',
        '│ a',
        '│',
        '│ ␛[2J�evil␍␇�31m',
        '',
        '  ␛[2J�evil ␇�31m x y  2026-01-12 09:30 +01:00',
        '    @␛[2J�evil␍␇�31m',
        '',
        '    Bo Ek  2026-01-12 09:31 +01:00',
        '    Yes.',
        '    e␛[e␛[e␛[e␛[e␛[e␛[e␛[e␛… × 1 (␛[2J�evil ␇�31m)',
        '',
        '  Ada Lovelace  2026-01-12 09:30 +01:00',
        '    (no text)',
        '    – × 0',
        '',
        '1 thread, 0 resolved',
      ),
    );
  });
});

describe('mentions in a message', () => {
  it.each([
    ['names with brackets', `@[Ada [QA]](${userId}) ok`, '@Ada [QA] ok'],
    ['names with parentheses', `@[Ada (Oslo)](${userId}) ok`, '@Ada (Oslo) ok'],
    ['names with both', `@[A (b) [c](d e)](${userId})`, '@A (b) [c](d e)'],
    ['names with emoji', `@[Ada 🧗🏽‍♀️](${userId})!`, '@Ada 🧗🏽‍♀️!'],
    ['two beside each other', '@[A](1)@[B](2)', '@A@B'],
    ['one after an open one', '@[open @[Ada](1)', '@[open @Ada'],
    ['an id with a space', '@[Ada](a b)', '@[Ada](a b)'],
    ['no id', '@[Ada]() and @[Ada]', '@[Ada]() and @[Ada]'],
    ['no name', '@[](1) @[ ](1)', '@[](1) @[ ](1)'],
    ['a link that is no mention', '[Ada](1) a@b.c', '[Ada](1) a@b.c'],
  ])('are read from %s', (_, message, shown) => {
    expect(messageLines(message)).toEqual([`    ${shown}`]);
  });

  it('do not extend over the end of a line', () => {
    expect(messageLines('@[Ada\nLovelace](1)')).toEqual(['    @[Ada', '    Lovelace](1)']);
  });

  it('are found quickly in a text that consists of their beginnings', () => {
    const message = '@[x](a'.repeat(20_000) + '@[Ada](1)';
    expect(messageLines(message, null)).toEqual([`    ${'@[x](a'.repeat(20_000)}@Ada`]);
  });
});
