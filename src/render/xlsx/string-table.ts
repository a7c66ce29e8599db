import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';

export interface RichText {
  readonly richText: readonly { readonly text: string; readonly isBold: boolean }[];
}

const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const header = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<sst xmlns="${namespace}">`;
const footer = '</sst>';

/** Names and types repeat, texts of posts do not: only short strings are remembered, and not for ever. */
const maxKnownLength = 100;
const maxKnown = 50_000;

/**
 * The strings of a workbook, in the one place from which every reader takes them with their spaces.
 * It comes after the sheets in the zip, so it waits in a file meanwhile: memory stays flat.
 */
export class StringTable {
  readonly #path: string;
  readonly #output;
  readonly #known = new Map<string, number>();
  #pending = '';
  #count = 0;

  /** @param path of a file of its own, which `remove` takes away */
  constructor(path: string, onError: (error: Error) => void) {
    this.#path = path;
    this.#output = createWriteStream(path, { mode: 0o600, flags: 'wx' }).on('error', onError);
  }

  /** How many there are. exceljs leaves the whole part out at 0. */
  get count(): number {
    return this.#count;
  }

  /** @returns the index that a cell refers to */
  add(value: string | RichText): number {
    if (typeof value !== 'string') return this.#append(value.richText.map(runXml).join(''));
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const index = this.#append(textXml(value));
    if (value.length <= maxKnownLength && this.#known.size < maxKnown)
      this.#known.set(value, index);
    return index;
  }

  async drained(): Promise<void> {
    if (this.#output.writableNeedDrain) await once(this.#output, 'drain');
  }

  /** The whole part, once everything is added. */
  async *xml(): AsyncGenerator<Buffer | string> {
    this.#output.end(this.#pending);
    await once(this.#output, 'close');
    yield header;
    yield* createReadStream(this.#path) as AsyncIterable<Buffer>;
    yield footer;
  }

  async remove(): Promise<void> {
    if (!this.#output.closed) {
      this.#output.destroy();
      await once(this.#output, 'close');
    }
    await rm(this.#path, { force: true });
  }

  #append(content: string): number {
    this.#pending += `<si>${content}</si>`;
    if (this.#pending.length >= 65_536) {
      this.#output.write(this.#pending);
      this.#pending = '';
    }
    this.#count += 1;
    return this.#count - 1;
  }
}

function runXml({ text, isBold }: RichText['richText'][number]): string {
  const font = '<sz val="12"/><color rgb="FF15191F"/><rFont val="Arial"/><family val="2"/>';
  return `<r><rPr>${isBold ? '<b/>' : ''}${font}</rPr>${textXml(text)}</r>`;
}

function textXml(text: string): string {
  return `<t xml:space="preserve">${escapeText(text)}</t>`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** `_x0041_` is how a workbook writes the character of that number, so a text that has it is escaped. */
function escapeText(text: string): string {
  return text
    .replace(/[&<>]/gu, (sign) => escapes[sign] ?? sign)
    .replace(/_(?=x[\dA-Fa-f]{4}_)/gu, '_x005F_');
}
