import { isSecretPath, type ConfigPath } from './config-path.ts';
import type { Lookup } from './environment.ts';
import type { Finding } from './finding.ts';
import { isMapping } from './raw-tree.ts';

interface Expanded {
  readonly value: unknown;
  /** Variables that are unset, or no variables. */
  readonly findings: readonly Finding[];
}

/** Puts variables' values for `${VAR}` in every text but secrets, which are looked up by themselves. */
export function expandVariables(root: unknown, lookup: Lookup): Expanded {
  const findings: Finding[] = [];
  const expand = (value: unknown, path: ConfigPath): unknown => {
    if (typeof value === 'string') {
      return isSecretPath(path) ? value : expandText(value, path, lookup, findings);
    }
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...path, index]));
    if (!isMapping(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, expand(child, [...path, key])]),
    );
  };
  return { value: expand(root, []), findings };
}

function expandText(text: string, path: ConfigPath, lookup: Lookup, findings: Finding[]): string {
  return text.replace(/\$\{([^{}]*)\}/g, (whole, name: string) => {
    const value = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? lookup(name) : undefined;
    if (value !== undefined) return value;
    findings.push({
      path,
      message: `the environment variable ${whole} is not set; set it, or write it to .env beside the config`,
    });
    return whole;
  });
}
