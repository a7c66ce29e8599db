import { entriesOf, fieldOf, isRecord } from '../../src/core/json.ts';

/** Paths of keys of a JSON Schema that an editor could say nothing about. */
export function undescribedKeys(node: unknown, path = ''): string[] {
  if (!isRecord(node)) return [];
  const own = entriesOf(fieldOf(node, 'properties')).flatMap(([key, child]) => {
    const keyPath = `${path}.${key}`;
    return [
      ...(fieldOf(child, 'description') ? [] : [keyPath]),
      ...undescribedKeys(child, keyPath),
    ];
  });
  const inner = ['additionalProperties', 'items'].flatMap((key) =>
    undescribedKeys(fieldOf(node, key), path),
  );
  return [...own, ...inner];
}
