import { isSecretPath, type ConfigPath } from './config-path.ts';
import type { Lookup } from './environment.ts';
import type { Finding } from './finding.ts';
import { entriesOf, isMapping } from './raw-tree.ts';

interface Expanded {
  readonly value: unknown;
  /** Variables that are unset, or no variables. */
  readonly findings: readonly Finding[];
}

/**
 * Puts variables' values for `${VAR}` in every text but secrets, which are looked up by themselves. A variable
 * that holds a secret is put nowhere else: what stands there gets into files, messages and reports.
 */
export function expandVariables(root: unknown, lookup: Lookup): Expanded {
  const findings: Finding[] = [];
  const reading = { lookup, secrets: secretVariables(root, []), findings };
  const expand = (value: unknown, path: ConfigPath): unknown => {
    if (typeof value === 'string') {
      return isSecretPath(path) ? value : expandText(value, path, reading);
    }
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...path, index]));
    if (!isMapping(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, expand(child, [...path, key])]),
    );
  };
  return { value: expand(root, []), findings };
}

interface Reading {
  readonly lookup: Lookup;
  /** Names of the variables that hold secrets. */
  readonly secrets: ReadonlySet<string>;
  readonly findings: Finding[];
}

const references = /\$\{([^{}]*)\}/g;

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

function expandText(text: string, path: ConfigPath, reading: Reading): string {
  return text.replace(references, (whole, name: string) => {
    const { lookup, secrets, findings } = reading;
    const isSecret = secrets.has(name);
    const value = !isSecret && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? lookup(name) : undefined;
    if (value !== undefined) return value;
    const message = isSecret
      ? `${whole} holds a secret, and may stand at keys, tokens and signing secrets only`
      : `the environment variable ${whole} is not set; set it, or write it to .env beside the config`;
    findings.push({ path, message });
    return whole;
  });
}
