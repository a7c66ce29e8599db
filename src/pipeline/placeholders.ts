/** Values by the name of their placeholder, `{client}` for example. */
export type PlaceholderValues = Readonly<Record<string, string>>;

/** Fills in placeholders. Any that has no value stays as it is. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
