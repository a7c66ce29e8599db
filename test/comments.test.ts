import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../src/core/package-root.ts';

/** Words that open a fragment when they open a comment: "Of all tables' files …", "Whether a report …". */
const fragmentStart =
  /^(What|Of|As|Null|Whether|Those|That|Where|Who|Whose|How|With|Without|By|From|Than|Not|Left|Also|None|Before|After|Until|Since|Else|Which)\b/i;
const maxShare = 0.08;
const source = join(packageRoot, 'src');

interface Opening {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Lists the first line of every comment. Line comments on consecutive lines are one comment. */
function commentOpenings(file: string): Opening[] {
  const lines = readFileSync(join(source, file), 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const isContinued = /^\s*\/\//.test(line) && /^\s*\/\//.test(lines[index - 1] ?? '');
    const block = /^\s*\/\*\*?(.*)$/.exec(line)?.[1];
    const comment = block ?? /(?:^|\s)\/\/\s(.*)$/.exec(line)?.[1];
    if (comment === undefined || isContinued) return [];
    const opening = block?.trim() === '' ? (lines[index + 1] ?? '') : comment;
    const text = opening.replace(/^\s*\*?\s*/, '').replace(/\s*\*\/$/, '');
    return /^(prettier-ignore|@)/.test(text) ? [] : [{ file, line: index + 1, text }];
  });
}

/** Returns the files with the most fragments, each with its count and its first fragment. */
function worstFiles(fragments: readonly Opening[]): string[] {
  const files = [...new Set(fragments.map(({ file }) => file))];
  const groups = files.map((file) => fragments.filter((fragment) => fragment.file === file));
  return groups
    .toSorted((one, other) => other.length - one.length)
    .slice(0, 20)
    .flatMap(([first, ...others]) =>
      first ? [`${1 + others.length} in src/${first.file}, line ${first.line}: ${first.text}`] : [],
    );
}

test('fewer than 8 % of the comments open with a sentence fragment', () => {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts'));
  const openings = files.flatMap(commentOpenings);
  const fragments = openings.filter(({ text }) => fragmentStart.test(text));
  const share = fragments.length / openings.length;
  const message = `${fragments.length} of ${openings.length} comments open with a fragment; most of them are in:`;
  expect(share, [message, ...worstFiles(fragments)].join('\n')).toBeLessThan(maxShare);
});
