import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { casesOf, loadJobs, minimalJobs, problemsOf } from '../support/jobs-file.ts';

describe('unusual YAML', () => {
  it.each(
    casesOf(
      `
text | workspaces:\\n\\tacme: 1\\n
  2: not valid YAML: Tabs are not allowed as indentation
text | timezone: "UTC\\n
  2: not valid YAML: Missing closing "quote
text | brand: { name: A\\n
  2: not valid YAML: Flow map in block collection must be sufficiently indented and end with a }
top | timezone: "UTC" x
  1: not valid YAML: Unexpected scalar at node end
text | a: b: c\\n
  1: not valid YAML: Nested mappings are not allowed in compact mappings
text | a: b\\nfoo\\n
  2: not valid YAML: Implicit map keys need to be followed by map values
text | a: 1\\n---\\nb: 1\\n
  2: not valid YAML: a second document begins here (---); a file holds one config
text | a: @b\\n
  1: not valid YAML: Plain value cannot start with reserved character @
text | a: !foo b\\n
  1: not valid YAML: Unresolved tag
text | a: 1\\nb: 2\\na: 3\\n
  3: not valid YAML: the key a is repeated
text | a: *b\\n
  1: not valid YAML: an alias (*) without an anchor (&) before it
text | a: &a { b: *a }\\n
  not valid YAML: an invalid alias or merge; does an alias contain itself?
text | 
  must be a mapping with workspaces and jobs, but is empty; create one with postledger init in an empty folder
text | - a\\n- b\\n
  must be a mapping with workspaces and jobs, but holds something else; create one with postledger init in an empty folder
`,
      { text: (text) => text.replaceAll('\\t', '\t') },
    ),
  )('is refused in a word: %s', async (_, text, problem) => {
    expect(await problemsOf(text)).toEqual([problem]);
  });

  const hidden =
    'not valid YAML: the # makes a comment of the rest of the line; put a text that contains # in quotes';

  it.each([
    ['brand: { name: Acme #1 }\ntimezone: UTC\n', [1]],
    ['brand: { name: Acme # 1, color: "#0b5fa5" } # ours\ntimezone: UTC\n', [1]],
    ['labels: [#launch, #sale]\na: 1\n', [1]],
    ['a: 1 # one\nb:\n  - { c: D #1 } # d\n  - { c: E #2 }\nf: 2 # two\n', [3, 4]],
    ['subject: Report #1: sales\n  and more\na: 1\n', [1]],
    ['Acme #1: { name: Acme }\na: 1\n', [1]],
  ])(
    'names the line of each # that hides what ends a value, and no other: %j',
    async (text, lines) => {
      expect(await problemsOf(text)).toEqual(lines.map((line) => `${line}: ${hidden}`));
    },
  );

  it.each([
    ['a: [b, # first\n  c\nd: 1\n', '3: not valid YAML: Flow sequence in block'],
    ['a: x # note\nb: y: z # other\n', '2: not valid YAML: Nested mappings'],
    ['a: { b: 1 # one\n  c: 2 }\n', '2: not valid YAML: Missing , between'],
  ])('blames no comment for another mistake: %j', async (text, problem) => {
    const problems = await problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  it('may have a BOM, Windows line ends and a version directive', async () => {
    const text = `\uFEFF%YAML 1.1\n---\n${minimalJobs}`.replaceAll('\n', '\r\n');
    const config = await loadJobs(text);
    expect([...config.jobs.keys()]).toEqual(['daily']);
    expect(
      await problemsOf(`\uFEFF${minimalJobs.replace('400', '0')}`.replaceAll('\n', '\r\n')),
    ).toEqual(['10: jobs.daily.windows.days: must be at least 1, got 0']);
  });

  it('may have anchors, and merge keys that the mapping itself overrides', async () => {
    const text = `${minimalJobs.replace('daily:', 'daily: &daily')}  weekly:
    <<: *daily
    windows: { <<: { days: 7, size_days: 3 }, days: 14 }
`;
    const weekly = (await loadJobs(text)).jobs.get('weekly');
    expect(weekly?.profiles.map(({ name }) => name)).toEqual(['Acme']);
    expect(weekly?.windows).toMatchObject({ days: 14, sizeDays: 3 });
  });

  it('gives a config or a ConfigError, whatever is removed from the text or inserted', async () => {
    const pieces = [...'\t { } [ " \n | #'.split(' '), '*a', '&a ', '<<: ', '!!set', ': ', '- '];
    const anyEdit = fc.record({
      at: fc.integer({ min: 0, max: minimalJobs.length }),
      cut: fc.integer({ min: 0, max: 12 }),
      put: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyEdit, { minLength: 1, maxLength: 3 }), async (edits) => {
        const text = edits.reduce(
          (edited, { at, cut, put }) => edited.slice(0, at) + put + edited.slice(at + cut),
          minimalJobs,
        );
        const problems = await problemsOf(text);
        for (const problem of problems)
          expect(problem).toMatch(/^(\d+: |not valid YAML|must be a mapping)/);
      }),
      { numRuns: 150 },
    );
  });
});
