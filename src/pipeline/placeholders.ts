/** Values by the name of their placeholder, `{client}` for example. */
export type Places = Readonly<Record<string, string>>;

/** Fills in placeholders. Any that has no value stays as it is. */
export function fillPlaceholders(text: string, places: Places): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => places[name] ?? whole);
}
