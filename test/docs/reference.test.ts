import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jobsJsonSchema } from '../../src/config/jobs-schema.ts';
import { builtInReports, findReports } from '../../src/report/report-catalog.ts';
import { definitionJsonSchema } from '../../src/report/definition-schema.ts';
import { Database } from '../../src/warehouse/database.ts';
import { migrate } from '../../src/warehouse/schema.ts';
import { runCli } from '../support/cli.ts';
import { tablesPage } from '../support/tables-page.ts';

/**
 * The pages of docs/reference are written from the code. After a change of a command, a key or a table:
 *   npx vitest run --project unit test/docs/reference.test.ts -u
 */
const root = resolve(import.meta.dirname, '..', '..');
const page = (name: string) => resolve(root, 'docs/reference', `${name}.md`);

async function helpOf(path: readonly string[]): Promise<string> {
  const { stdout } = await runCli([...path, '--help'], { cwd: root });
  return stdout;
}

/** The names of the commands that a help lists, under any heading but those of arguments, options and examples. */
function commandsIn(help: string): string[] {
  const lists = help.split(/\n(?=\S)/).filter((part) => /^[^\n]+:\n {2}[a-z]/.test(part));
  const names = lists
    .filter((list) => !list.startsWith('Arguments:'))
    .flatMap((list) => [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name));
  return names.filter((name) => name !== 'help');
}

/** A command, and the commands below it, each with its help. */
async function readCommands(path: readonly string[]): Promise<{ name: string; help: string }[]> {
  const help = await helpOf(path);
  const below = await Promise.all(commandsIn(help).map((name) => readCommands([...path, name])));
  return [{ name: path.join(' '), help }, ...below.flat()];
}

function withoutGlobalOptions(help: string): string {
  return help.replace(/\nGlobal Options:\n(?: +.*\n)+/, '').trimEnd();
}

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: string;
}

/** The choices of a value, those of a choice included. */
function choicesOf({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf].flatMap((choice) => {
    const inner = choicesOf(choice);
    return inner.length > 0 ? inner : [choice];
  });
}

function typeOf(schema: Schema): string {
  const choices = choicesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map((word) => `\`${word}\``).join(', ');
  if (schema.type === 'array' && schema.items) return `list of ${typeOf(schema.items)}`;
  return schema.type ?? 'any';
}

/** A choice among charts or calculations goes by its kind. */
function choicePath(here: string, { properties = {} }: Schema): string {
  const kind = (properties['kind'] ?? properties['type'])?.const;
  return kind === undefined ? `${here}.` : `${here}(${kind}).`;
}

/** A row for each key that holds a value, by its path. */
function keyRows(schema: Schema, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const here = `${path}${key}`;
    const isRequired = schema.required?.includes(key);
    const fallback =
      value.default === undefined ? (isRequired ? 'required' : '') : JSON.stringify(value.default);
    const inner = [
      ...keyRows(value, `${here}.`),
      ...(value.items ? keyRows(value.items, `${here}[].`) : []),
      ...choicesOf(value).flatMap((choice) => keyRows(choice, choicePath(here, choice))),
      ...(typeof value.additionalProperties === 'object'
        ? keyRows(value.additionalProperties, `${here}.<name>.`)
        : []),
    ];
    const isGroup = inner.length > 0 && choicesOf(value).length === 0;
    const cells = [`\`${here}\``, typeOf(value), isGroup ? '' : fallback, value.description ?? ''];
    return [`| ${cells.map((cell) => cell.replaceAll(/[|<]/g, '\\$&')).join(' | ')} |`, ...inner];
  });
}

describe('the reference', () => {
  it('contains the help of every command', async () => {
    const commands = await readCommands([]);
    const parts = commands.map(({ name, help }) => {
      const text = name === '' ? help.trimEnd() : withoutGlobalOptions(help);
      return `## ${`postledger ${name}`.trim()}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
    });
    await expect(`# Commands\n\n${parts.join('\n')}`).toMatchFileSnapshot(page('commands'));
  });

  it('contains every key of jobs.yaml', async () => {
    const rows = keyRows(jobsJsonSchema() as Schema, '');
    const head = ['| key | type | default | is |', '| --- | --- | --- | --- |'];
    const text = `# jobs.yaml\n\n${[...head, ...rows].join('\n')}\n`;
    await expect(text).toMatchFileSnapshot(page('config'));
  });

  it('contains every key of report.yaml', async () => {
    const rows = keyRows(definitionJsonSchema() as Schema, '');
    const isRepeated = (row: string) => row.startsWith('| `sections[].columns.');
    const head = ['| key | type | default | is |', '| --- | --- | --- | --- |'];
    const kept = rows.filter((row) => !isRepeated(row) && !/^\| `[^`]*\)\.(kind|type)`/.test(row));
    const text = `# report.yaml\n\nThe columns of a section have the keys of \`columns.<name>\`.\n\n${[...head, ...kept].join('\n')}\n`;
    await expect(text).toMatchFileSnapshot(page('report'));
  });

  it('contains every report, its sections and what its words mean', async () => {
    const reports = [...(await findReports([builtInReports])).values()];
    const parts = reports.map(({ name, description, sections, definitions }) => {
      const rows = sections.map(({ name: own, title, description: says, figure, words }) =>
        [
          '',
          `\`${own}\``,
          title.replace('{title:phrase}', words?.['title'] ?? ''),
          says.replace('{figure:phrase}', figure ?? ''),
          '',
        ]
          .join(' | ')
          .trim()
          .replaceAll('<', '\\<'),
      );
      const terms = definitions.map(({ term, text }) => `- **${term}.** ${text}`);
      return [
        `## ${name}`,
        '',
        description,
        '',
        '| section | title | says |',
        '| --- | --- | --- |',
        ...rows,
        '',
        ...terms,
      ].join('\n');
    });
    const text = `# Reports\n\n${parts.join('\n\n')}\n`;
    await expect(text).toMatchFileSnapshot(page('reports'));
  });

  it('contains every table and every column', async () => {
    const database = await Database.open(':memory:', 'READ_WRITE');
    onTestFinished(() => database.close());
    await migrate(database);
    await expect(await tablesPage(database)).toMatchFileSnapshot(page('tables'));
  });
});
