import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { errorMessage, hasErrorCode } from '../core/errors.ts';
import { ConfigError } from './config-error.ts';

/** The value of an environment variable; undefined when it is unset or empty. */
export type Lookup = (variable: string) => string | undefined;

/**
 * Variables of `environment`, and where it has none (or an empty one) of the file `.env` in `folder`.
 * Changes neither. @throws ConfigError when there is a `.env` that cannot be read
 */
export async function readVariables(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Lookup> {
  const file = await readEnvFile(join(folder, '.env'));
  return (variable) => valueIn(environment, variable) ?? valueIn(file, variable);
}

async function readEnvFile(path: string): Promise<NodeJS.Dict<string>> {
  try {
    return parseEnv((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return {};
    throw new ConfigError(`${path} cannot be read: ${errorMessage(error)}`, [], { cause: error });
  }
}

function valueIn(variables: NodeJS.Dict<string>, name: string): string | undefined {
  const value = Object.hasOwn(variables, name) ? variables[name]?.trim() : undefined;
  return value === '' ? undefined : value;
}
