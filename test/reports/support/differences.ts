type Fields = Readonly<Record<string, unknown>>;

/**
 * What `made` has otherwise than `reference`: of an object the fields that differ, of a list of named objects all of them
 * by name, each with what differs from the one of that name.
 */
export function differencesFrom(reference: unknown, made: unknown): unknown {
  if (isNamedList(reference) && isNamedList(made)) {
    const named = new Map(reference.map((each) => [nameOf(each), each]));
    return made.map((each) => ({
      ...(nameOf(each) === each['name'] ? { name: each['name'] } : { label: each['label'] }),
      ...fieldDifferences(named.get(nameOf(each)) ?? {}, each),
    }));
  }
  return isFields(reference) && isFields(made) ? fieldDifferences(reference, made) : made;
}

function fieldDifferences(reference: Fields, made: Fields): Fields {
  const names = new Set([...Object.keys(reference), ...Object.keys(made)]);
  return Object.fromEntries(
    [...names]
      .filter((name) => JSON.stringify(reference[name]) !== JSON.stringify(made[name]))
      .map((name) => [
        name,
        name in made ? differencesFrom(reference[name], made[name]) : '(not there)',
      ]),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNamedList(value: unknown): value is readonly Fields[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => isFields(each) && nameOf(each) !== null)
  );
}

function nameOf({ name, label }: Fields): string | null {
  return [name, label].find((each) => typeof each === 'string') ?? null;
}
