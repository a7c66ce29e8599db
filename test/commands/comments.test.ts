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
});
