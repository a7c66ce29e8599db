import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { errorMessage, hasErrorCode } from '../core/errors.ts';
import { ConfigError, type ConfigPath, type Finding } from './config-error.ts';
import { entriesOf, isRecord } from '../core/json.ts';

/** Returns the value of an environment variable, or undefined if it is unset or empty. */
export type Lookup = (variable: string) => string | undefined;

/**
 * Returns a lookup of variables in `environment`, and of unset or empty ones in the file `.env` in `folder`.
 * @throws ConfigError if there is a `.env` that cannot be read
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

const secretPlaces = [
  /^workspaces\.[^.]+\.api_key$/,
  /^webhooks\.(?:token|signing_secret)(?:\.\d+)?$/,
  /^mail\.(?:password|oauth2\.client_secret)$/,
  /^s3\.(?:access_key_id|secret_access_key)$/,
  /^warehouse\.(?:lake|reader)\.(?:catalog|s3\.(?:access_key_id|secret_access_key))$/,
  /^notify\.\d+\.post$/,
  /^jobs\.[^.]+\.ping$/,
];

/** True if the value at this path is a secret or a list of secrets, which no message may show. */
export function isSecretPath(path: ConfigPath): boolean {
  const place = path.map((segment) => String(segment).replaceAll('.', '_')).join('.');
  return secretPlaces.some((pattern) => pattern.test(place));
}

const references = /\$\{([^{}]*)\}/g;

/**
 * Replaces `${VAR}` by the variable's value in every text but secrets, which are looked up when they are used. A
 * variable that holds a secret is refused elsewhere, since other values are written to files, messages and reports.
 */
export function expandVariables(
  root: unknown,
  lookup: Lookup,
): { readonly value: unknown; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const secrets = secretVariables(root, []);
  const expandText = (text: string, path: ConfigPath) =>
    text.replace(references, (whole, name: string) => {
      const value = secrets.has(name) ? undefined : lookup(name);
      if (value !== undefined) return value;
      const message = secrets.has(name)
        ? `${whole} holds a secret, and may be used only for keys, tokens and signing secrets`
        : `the environment variable ${whole} is not set; set it, or write it to .env beside the config`;
      findings.push({ path, message });
      return whole;
    });
  const expand = (value: unknown, path: ConfigPath): unknown => {
    if (typeof value === 'string') return isSecretPath(path) ? value : expandText(value, path);
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...path, index]));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, expand(child, [...path, key])]),
    );
  };
  return { value: expand(root, []), findings };
}

/** Returns the names of the variables that hold secrets. */
function secretVariables(value: unknown, path: ConfigPath): Set<string> {
  if (typeof value === 'string') {
    const names = isSecretPath(path) ? [...value.matchAll(references)] : [];
    return new Set(names.map(([, name = '']) => name));
  }
  const children: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : entriesOf(value);
  return new Set(children.flatMap(([key, child]) => [...secretVariables(child, [...path, key])]));
}
