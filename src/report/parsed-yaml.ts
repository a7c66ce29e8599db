/**
 * The parsed YAML of reports by the SHA-256 of its text. The map is empty here; the build fills it with that of the
 * built-in reports (bundle.js), because parsing YAML takes longer than everything else in a list of reports.
 */
export const parsedYaml = new Map<string, unknown>();
