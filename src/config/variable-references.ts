import { formatLocation, type ConfigPath, type Finding } from './config-error.ts';
import { isSecretPath } from './jobs-schema.ts';
import { Secret } from './secret.ts';
import { secretPattern } from './value-kinds.ts';
import type { Lookup } from './variables.ts';
import { entriesOf, isRecord } from '../core/json.ts';
import type { YamlSource } from '../core/yaml-source.ts';

const references = /\$\{([^{}]*)\}/g;

/** Returns true for a text with a `${`. Most of the hundred thousand texts of a large jobs.yaml have none. */
function hasReference(value: unknown): value is string {
  return typeof value === 'string' && value.includes('${');
}

/**
 * Replaces `${VAR}` by the variable's value in every text, but where the schema wants a secret by a `Secret`, which
 * knows its line and path. A variable that holds a secret is refused elsewhere, since other values are written to files,
 * messages and reports.
 * @param file the path of the file, which a secret names
 */
export function expandVariables(
  source: YamlSource,
  file: string,
  lookup: Lookup,
): { readonly value: unknown; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const secrets = secretVariables(source.value, []);
  const expandText = (text: string, path: ConfigPath) =>
    text.replace(references, (whole, name: string) => {
      const { value, problem = `the environment variable ${whole} ${howToSet}` } = lookup(name);
      if (value !== undefined && !secrets.has(name)) return value;
      const message = secrets.has(name)
        ? `${whole} holds a secret, and may be used only for keys, tokens and signing secrets`
        : problem;
      findings.push({ path, message });
      return whole;
    });
  const secretOf = (text: string, path: ConfigPath) => {
    for (const [, name = ''] of text.matchAll(references)) {
      const { problem } = lookup(name);
      if (problem !== undefined) findings.push({ path, message: problem });
    }
    if (!secretPattern.test(text)) return text;
    const name = text.slice('${'.length, -'}'.length);
    const origin = formatLocation(file, path, source.lineOf(path));
    return new Secret(name, origin, lookup(name).value);
  };
  const expand = (value: unknown, path: ConfigPath): unknown => {
    if (hasReference(value)) return (isSecretPath(path) ? secretOf : expandText)(value, path);
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...path, index]));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, expand(child, [...path, key])]),
    );
  };
  return { value: expand(source.value, []), findings };
}

const howToSet = 'is not set; set it, or write it to .env beside the config';

/** Returns the names of the variables that hold secrets. */
function secretVariables(value: unknown, path: ConfigPath): Set<string> {
  if (hasReference(value)) {
    const names = isSecretPath(path) ? [...value.matchAll(references)] : [];
    return new Set(names.map(([, name = '']) => name));
  }
  const children: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : entriesOf(value);
  return new Set(children.flatMap(([key, child]) => [...secretVariables(child, [...path, key])]));
}
