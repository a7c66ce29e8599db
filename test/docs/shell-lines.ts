/** A command as curl takes it. */
export interface CurlCommand {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

type Variables = Map<string, string>;

/** Lines of the shell examples of a page, without empty ones and comments. */
export function shellLines(page: string): string[] {
  return commentedLines(page).map((line) => line.replace(/ +# .*$/, ''));
}

/** The lines of the shell examples with their comments. */
export function commentedLines(page: string): string[] {
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** `name=value`, or `name=$(curl … | jq -r 'path')`; null for any other line. */
export function readAssignment(line: string, variables: Variables) {
  const [, name, value = ''] = /^(\w+)=('[^']*'|\$\(.*\)|\S+)$/.exec(line) ?? [];
  if (name === undefined) return null;
  const query = /^\$\((curl .*) \| jq -r '(.*)'\)$/.exec(value);
  if (query) return { name, curl: readCurl(query[1] ?? '', variables), path: query[2] ?? '' };
  return { name, value: words(value, variables).join(' ') };
}

/** @throws Error for a flag that no example has had yet */
export function readCurl(line: string, variables: Variables): CurlCommand {
  const [, ...rest] = words(line, variables);
  let [method, url, body]: [string | null, string, string | null] = [null, '', null];
  const headers: Record<string, string> = {};
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-X') method = rest.shift() ?? '';
    else if (word === '-d') body = rest.shift() ?? '';
    else if (word === '-H') Object.assign(headers, headerOf(rest.shift() ?? ''));
    else if (word.startsWith('-') && word !== '-s')
      throw new Error(`unknown flag of curl: ${word}`);
    else if (word !== '-s') url = word;
  }
  return { method: method ?? (body === null ? 'GET' : 'POST'), url, headers, body };
}

/** The subset of jq that the examples need: `.posts.Scheduled[0]`. */
export function valueAt(path: string, value: unknown): unknown {
  return [...path.matchAll(/\w+/g)].reduce<unknown>(
    (part, [key]) => (part as Record<string, unknown>)[key],
    value,
  );
}

function headerOf(text: string): Record<string, string> {
  const [name = '', value = ''] = text.split(': ');
  return { [name]: value };
}

/** Splits at blanks, removes quotes, and replaces variables outside of single quotes. */
function words(line: string, variables: Variables): string[] {
  const quotedOrNot = /'([^']*)'|"([^"]*)"|([^\s'"]+)/g;
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    [...word.matchAll(quotedOrNot)]
      .map(([, literal, quoted, bare]) => literal ?? expand(quoted ?? bare ?? '', variables))
      .join(''),
  );
}

function expand(text: string, variables: Variables): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`no example sets $${name}`);
    return value;
  });
}
