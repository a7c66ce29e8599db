import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { errorMessage, hasErrorCode } from '../core/errors.ts';
import { ConfigError } from './config-error.ts';

/** The value of a variable, or the reason why it cannot be used. Both are absent if the variable is unset or empty. */
interface Variable {
  readonly value?: string;
  readonly problem?: string;
}

export type Lookup = (name: string) => Variable;

/**
 * Returns a lookup of variables. The value of `NAME` is that of the environment, or else of the file `.env` in
 * `folder`; or the content of the file that `NAME_FILE` names there, or of `$CREDENTIALS_DIRECTORY/NAME`. Each
 * variable is read once.
 * @throws ConfigError if there is a `.env` that cannot be read
 */
export async function readVariables(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Lookup> {
  const lines = await readEnvFile(join(folder, '.env'));
  const file = Object.fromEntries(lines.map(({ name, text }) => [name, text]));
  const variableText = (name: string) => valueIn(environment, name) ?? valueIn(file, name);
  const found = new Map<string, Variable>();
  return (name) => {
    const variable = found.get(name) ?? readVariable(name, folder, variableText);
    found.set(name, variable);
    return variable;
  };
}

/** A variable in a `.env`. */
interface EnvLine {
  readonly name: string;
  /** The value, with the blanks around it. */
  readonly text: string;
  /** What follows the text on its line, if that is not in quotes: blanks and a comment. */
  readonly rest: string;
  /** The number of its line, from 1. */
  readonly line: number;
}

/**
 * Returns the variables in the file's order; none if there is no file.
 * @throws ConfigError for a file that cannot be read
 */
export async function readEnvFile(path: string): Promise<EnvLine[]> {
  try {
    return parseEnvFile((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw new ConfigError(`${path} cannot be read: ${errorMessage(error)}`, [], { cause: error });
  }
}

/** A value in quotes, which may have several lines, or one that ends with its line or at a blank and a `#`. */
const envLine =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=(?:[ \t]*(?:'([^']*)'|`([^`]*)`|"([^"]*)")[ \t]*(?:#.*)?|(.*?)([ \t]*(?:(?<=[ \t])#.*)?))$/gm;

/** Reads lines as Node does, but keeps a `#` within a word. */
function parseEnvFile(text: string): EnvLine[] {
  return [...text.matchAll(envLine)].map((match) => {
    const [, name = '', single, back, double, plain = '', rest = ''] = match;
    return {
      name,
      text: single ?? back ?? double?.replaceAll('\\n', '\n') ?? plain,
      rest: rest.trimEnd(),
      line: text.slice(0, match.index).split('\n').length,
    };
  });
}

function valueIn(variables: NodeJS.Dict<string>, name: string): string | undefined {
  const value = Object.hasOwn(variables, name) ? variables[name]?.trim() : undefined;
  return value === '' ? undefined : value;
}

type Source = Variable & { readonly source: string };

function readVariable(
  name: string,
  folder: string,
  textOf: (name: string) => string | undefined,
): Variable {
  const [value, file] = [textOf(name), textOf(`${name}_FILE`)];
  const credentials = textOf('CREDENTIALS_DIRECTORY');
  const credential = join(credentials ?? '', name);
  const sources: Source[] = [];
  if (value !== undefined) sources.push({ source: `the variable ${name}`, value });
  if (file !== undefined) {
    // a relative path may be the secret itself, by mistake
    const path = isAbsolute(file) ? ` (${file})` : '';
    sources.push(readSource(name, `the file of ${name}_FILE${path}`, resolve(folder, file)));
  }
  if (credentials !== undefined && /^\w+$/.test(name) && existsSync(credential)) {
    sources.push(readSource(name, `the credential ${credential}`, credential));
  }
  const [only = {}, ...others] = sources;
  if (others.length === 0) return only;
  const all = sources.map(({ source }) => source).join(' and ');
  return { problem: `${name} is set more than once, by ${all}; keep one of them` };
}

function readSource(name: string, source: string, path: string): Source {
  const remedy = `write the value of ${name} to it, and let this user read it`;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    const value = text.replace(/\r?\n$/, '');
    if (value.trim() !== '') return { source, value };
    return { source, problem: `${source} is empty; ${remedy}` };
  } catch (error) {
    const reason = errorMessage(error).replace(/, open '.*$/s, '');
    return { source, problem: `${source} cannot be read: ${reason}; ${remedy}` };
  }
}
