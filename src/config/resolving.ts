import { formatPlace, type ConfigPath } from './config-error.ts';
import type { RawConfig } from './jobs-schema.ts';
import { Secret } from './secret.ts';
import type { Lookup } from './variables.ts';
import type { YamlSource } from '../core/yaml-source.ts';

/** The input for resolving each part of jobs.yaml. */
export interface Resolving {
  /** The config, which has passed the schema and the checks for conflicts. */
  readonly raw: RawConfig;
  /** An absolute path. */
  readonly file: string;
  readonly source: YamlSource;
  readonly lookup: Lookup;
}

/** Returns no secret, one, or those of a list, whose places include the index. */
export function secretsAt(
  resolving: Resolving,
  references: string | readonly string[] | undefined,
  path: ConfigPath,
): Secret[] {
  if (references === undefined) return [];
  if (typeof references === 'string') return [secretAt(resolving, references, path)];
  return references.map((reference, index) => secretAt(resolving, reference, [...path, index]));
}

export function secretAt({ file, source, lookup }: Resolving, reference: string, path: ConfigPath) {
  const variable = reference.slice('${'.length, -'}'.length);
  return new Secret(variable, formatPlace(file, path, source.lineOf(path)), lookup(variable).value);
}
