/** A JSON Schema as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

/** Each field of an object in a few letters; names of what may be missing end in `?`. */
export function notesOfFields({ properties = {}, required = [] }: Schema): Record<string, string> {
  const notes = Object.entries(properties).map(([name, field]) => [
    required.includes(name) ? name : `${name}?`,
    noteOf(field),
  ]);
  return Object.fromEntries(notes) as Record<string, string>;
}

/** A schema in a few letters: `date-time | null`, `Label[]`, `{ name: string }`. */
export function noteOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, '');
  if (schema.anyOf) return noteOfChoice(schema.anyOf);
  if (schema.enum) return schema.enum.join(' ');
  return [schema.type ?? []]
    .flat()
    .map((type) => noteOfType(type, schema))
    .join(' | ');
}

function noteOfChoice(choice: readonly Schema[]): string {
  const [words, others] = choice;
  const isOpenList = words?.enum && JSON.stringify(others) === '{"type":"string"}';
  return isOpenList ? `${noteOf(words)} …` : choice.map(noteOf).join(' | ');
}

function noteOfType(type: string, schema: Schema): string {
  const { format, items, additionalProperties } = schema;
  if (type === 'string') return format ?? type;
  if (type === 'array') return `${noteOf(items ?? {})}[]`;
  if (type !== 'object') return type;
  if (additionalProperties) return `${noteOf(additionalProperties)} of each`;
  const fields = Object.entries(notesOfFields(schema)).map(([name, note]) => `${name}: ${note}`);
  return `{ ${fields.join(', ')} }`;
}
