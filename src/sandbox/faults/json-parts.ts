export type JsonObject = Record<string, unknown>;

/** A list or an object of a JSON value. */
interface JsonPart {
  readonly part: readonly unknown[] | JsonObject;
  /** Where it stands, without places in lists: `.approvals[].user`. */
  readonly path: string;
}

/** A field of an object somewhere in a JSON value. */
export interface JsonField {
  readonly holder: JsonObject;
  readonly name: string;
  readonly path: string;
}

/** Every list and object, the outer ones first. */
function listParts(root: unknown): JsonPart[] {
  const parts: JsonPart[] = [];
  const queue: { value: unknown; path: string }[] = [{ value: root, path: '' }];
  for (const { value, path } of queue) {
    if (Array.isArray(value)) {
      parts.push({ part: value, path });
      queue.push(...value.map((member: unknown) => ({ value: member, path: `${path}[]` })));
    } else if (isObject(value)) {
      parts.push({ part: value, path });
      for (const [name, field] of Object.entries(value)) {
        queue.push({ value: field, path: `${path}.${name}` });
      }
    }
  }
  return parts;
}

export function listObjects(root: unknown): JsonObject[] {
  return listParts(root).flatMap(({ part }) => (isObject(part) ? [part] : []));
}

/** Lists with an object in them, the outer ones first. */
export function listListsOfObjects(root: unknown): JsonObject[][] {
  return listParts(root).flatMap(({ part }) =>
    Array.isArray(part) && part.length > 0 && part.every(isObject) ? [part] : [],
  );
}

export function listFields(root: unknown): JsonField[] {
  return listParts(root).flatMap(({ part, path }) =>
    isObject(part)
      ? Object.keys(part).map((name) => ({ holder: part, name, path: `${path}.${name}` }))
      : [],
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
