export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const token =
  /<(?<close>\/?)(?<name>[\w:]+)(?<attributes>(?:\s+[\w:]+="[^"]*")*)\s*(?<empty>\/?)>|(?<text>[^<]+)/gu;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Parses a part that our writer made, and throws on XML that is not well-formed. */
export function parseXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const body = xml.replace(/^<\?xml[^>]*\?>\s*/u, '');
  let read = 0;
  for (const match of body.matchAll(token)) {
    if (match.index !== read) throw new Error(`not XML at ${read}: ${body.slice(read, read + 60)}`);
    read += match[0].length;
    const { close, name = '', attributes = '', empty, text } = match.groups ?? {};
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.text += unescape(text);
    else if (close === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
    } else {
      const element = { name, attributes: attributesOf(attributes), children: [], text: '' };
      parent.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  const [only] = root.children;
  if (read !== body.length || open.length !== 1 || !only) throw new Error('not one whole element');
  return only;
}

/** All descendants with this name, in order. */
export function elementsOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elementsOf(child, name),
  ]);
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w:]+)="([^"]*)"/gu)].map(([, name = '', value = '']) => [
      name,
      unescape(value),
    ]),
  );
}

function unescape(text: string): string {
  return text.replace(/&(\w+);/gu, (whole, name: string) => entities[name] ?? whole);
}
