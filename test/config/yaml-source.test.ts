import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/config/yaml-source.ts';
import { loadJobs, minimalJobs, problemsOf } from '../support/jobs-file.ts';

describe('nasty YAML', () => {
  it.each([
    [
      'a tab as indentation',
      'workspaces:\n\tacme: 1\n',
      '2: not valid YAML: Tabs are not allowed as indentation',
    ],
    ['an unclosed quote', 'timezone: "UTC\n', '2: not valid YAML: Missing closing "quote'],
    [
      'an unclosed brace',
      'brand: { name: A\n',
      '2: not valid YAML: Flow map in block collection must be sufficiently indented and end with a }',
    ],
    [
      'two mappings on a line',
      'a: b: c\n',
      '1: not valid YAML: Nested mappings are not allowed in compact mappings',
    ],
    [
      'a word on its own',
      'a: b\nfoo\n',
      '2: not valid YAML: Implicit map keys need to be followed by map values',
    ],
    [
      'a second document',
      'a: 1\n---\nb: 1\n',
      '2: not valid YAML: a second document begins here (---); a file is one config',
    ],
    [
      'a reserved character',
      'a: @b\n',
      '1: not valid YAML: Plain value cannot start with reserved character @',
    ],
    ['a tag of its own', 'a: !foo b\n', '1: not valid YAML: Unresolved tag'],
    ['a repeated key', 'a: 1\nb: 2\na: 3\n', '3: a: stands twice, first on line 1'],
    [
      'a repeated key in other letters',
      'a:\n  1: 1\n  "1": 2\n',
      '3: a.1: stands twice, first on line 2',
    ],
    ['a key that is a list', '? [a]\n: 1\n', '1: ["?"]: cannot be a key'],
    ['a key that is nothing', 'null: 1\n', '1: ["?"]: cannot be a key'],
    [
      'the key __proto__',
      'jobs:\n  __proto__: { profiles: [] }\n',
      '2: jobs.__proto__: cannot be a key',
    ],
    [
      'an unknown anchor',
      'a: *b\n',
      '1: a: is an alias (*) of an anchor (&) that is not set before it',
    ],
    [
      'a merge of no mapping',
      'a: &a [1]\nb: { <<: *a }\n',
      '2: b["<<"]: must name a mapping, and not itself',
    ],
    [
      'an empty file',
      '',
      'must be a mapping with workspaces and jobs, but is empty; postledger init in an empty folder writes one to start from',
    ],
    [
      'comments only',
      '# nothing\n',
      'must be a mapping with workspaces and jobs, but is empty; postledger init in an empty folder writes one to start from',
    ],
    [
      'a list at the top',
      '- a\n- b\n',
      'must be a mapping with workspaces and jobs, but holds something else; postledger init in an empty folder writes one to start from',
    ],
    [
      'a text at the top',
      'hello\n',
      'must be a mapping with workspaces and jobs, but holds something else; postledger init in an empty folder writes one to start from',
    ],
  ])('is refused in a word: %s', async (_, text, problem) => {
    expect(await problemsOf(text)).toEqual([problem]);
  });

  it('tells each syntax error once, not each token after it', async () => {
    const text = `timezone: "UTC" x\n${minimalJobs}`;
    expect(await problemsOf(text)).toEqual(['1: not valid YAML: Unexpected scalar at node end']);
  });

  it('is stopped where an alias contains itself, and where aliases multiply', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const names = Array.from({ length: 10 }, () => `*a${level}`).join(', ');
      return `a${level + 1}: &a${level + 1} [${names}]`;
    });
    const texts = ['a: &a { b: *a }', 'a: &a { <<: *a }', `a0: &a0 x\n${levels.join('\n')}`];
    for (const text of texts) {
      const messages = parseYaml(text).problems.map(({ message }) => message);
      expect(messages).toHaveLength(1);
      expect(messages[0]).toMatch(/^(holds too much|must name a mapping, and not itself)/);
    }
  });

  it('may have a BOM, Windows line ends and a version of its own', async () => {
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

  it('has the line of the anchor where what an alias brings is wrong', async () => {
    const text = minimalJobs.replace('{ days: 400 }', '&w { days: 0 }');
    expect(await problemsOf(`${text}  weekly:\n    profiles: [acme/*]\n    windows: *w\n`)).toEqual(
      [
        '10: jobs.daily.windows.days: must be at least 1, got 0',
        '10: jobs.weekly.windows.days: must be at least 1, got 0',
      ],
    );
  });

  it('has names of jobs that objects have too', async () => {
    const text = minimalJobs.replace('daily:', 'constructor:').replaceAll('acme', 'toString');
    const config = await loadJobs(text);
    expect([...config.jobs.keys()]).toEqual(['constructor']);
    expect(config.jobs.get('constructor')?.profiles).toHaveLength(1);
    const unknown = minimalJobs.replace('[acme/*]', '[valueOf/*]');
    expect(await problemsOf(unknown)).toEqual([
      '9: jobs.daily.profiles[0]: no workspace "valueOf"',
    ]);
  });

  it('keeps the order of keys that look like numbers', () => {
    const source = parseYaml('b: 1\n2: 1\n1: 1\n');
    expect(source.keysAt([])).toEqual(['b', '2', '1']);
    expect(source.lineOf(['1'])).toBe(3);
    expect(source.lineOf(['1', 'missing', 0])).toBe(3);
  });

  it('is a config or a ConfigError, whatever is cut out of the text or put into it', async () => {
    const pieces = [
      '\t',
      '{',
      '}',
      '[',
      '*a',
      '&a ',
      '<<: ',
      '!!set',
      ': ',
      '- ',
      '"',
      '\n',
      '|',
      '#',
    ];
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
        for (const problem of problems) expect(problem).toMatch(/^(\d+: |must be a mapping)/);
      }),
      { numRuns: 150 },
    );
  });
});

describe('a file made to hold up its reader', () => {
  const laughs = (one: string, many: (below: string) => string) =>
    [`a0: &a0 ${one}`]
      .concat(Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} ${many(`*a${n}`)}`))
      .join('\n');

  it.each([
    ['aliases of aliases', laughs('[x]', (below) => `[${below}, ${below}]`), 'holds too much'],
    ['merges of merges', laughs('{}', (below) => `{ <<: [${below}, ${below}] }`), 'holds too much'],
    ['open brackets', '['.repeat(100_000), 'nested too deep'],
    ['brackets that are closed', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'nested too deep'],
    ['lists of lists', '- '.repeat(10_000), 'nested too deep'],
    ['a line of brackets with a mistake', `a: ${'[], '.repeat(50_000)}`, 'not valid YAML'],
  ])('is refused at once for %s', (_, text, message) => {
    const { problems } = parseYaml(text);
    expect(problems.map((problem) => problem.message).join()).toContain(message);
  });

  it('is read where many aliases stand for many anchors', () => {
    const lines = Array.from({ length: 8_000 }, (_, n) => `k${n}: &a${n} x\nl${n}: *a${n}`);
    expect(parseYaml(lines.join('\n'))).toMatchObject({ problems: [] });
  });
});
