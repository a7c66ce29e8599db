import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBrace,
  openBracket,
  quote,
} from '../json-bytes.ts';
import { canonicalNumber } from './canonical-number.ts';
import { UnfitEventError } from './unfit-event-error.ts';

/** Deeper than any event, and shallow enough for every reader of JSON. */
const deepest = 100;

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Integers that are their own canonical form. */
const plainInteger = /^(?:0|-?[1-9]\d{0,14})$/;
/** What `true`, `false` and `null` begin with. */
const [letterT, letterF, letterN] = [0x74, 0x66, 0x6e];

/** A JSON object's text in two forms. */
export interface JsonObjectText {
  /** As it came, without the whitespace between tokens: one line. */
  readonly compact: string;
  /** RFC 8785, with digits kept that it would lose ({@link canonicalNumber}), and half pairs as `\udXXX`. */
  readonly canonical: string;
  /** The canonical text of each member. */
  readonly members: ReadonlyMap<string, string>;
}

/**
 * Reads a JSON object more strictly than JSON.parse, and loses nothing of it: digits of large
 * numbers stay, a key that stands twice is an error, `__proto__` is a key like any other.
 * @throws UnfitEventError
 */
export function readJsonObject(text: string): JsonObjectText {
  return new JsonReader(text).readDocument();
}

class JsonReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  /** The text before `#runStart` without whitespace. */
  #compact = '';
  #runStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): JsonObjectText {
    this.#skipWhitespace();
    if (this.#at === this.#text.length) fail('is empty');
    const isObject = this.#code() === openBrace;
    const members = isObject ? this.#readMembers() : this.#skipValue();
    this.#skipWhitespace();
    if (this.#at < this.#text.length) this.#failHere('the end');
    if (members === null) fail('must be a JSON object');
    this.#compact += this.#text.slice(this.#runStart);
    return { compact: this.#compact, canonical: writeObject(members), members };
  }

  #skipValue(): null {
    this.#readValue();
    return null;
  }

  /** @returns canonical text */
  #readValue(): string {
    switch (this.#code()) {
      case openBrace:
        return writeObject(this.#readMembers());
      case openBracket:
        return this.#readArray();
      case quote:
        return this.#readString();
      case letterT:
        return this.#readWord('true');
      case letterF:
        return this.#readWord('false');
      case letterN:
        return this.#readWord('null');
      default:
        return this.#readNumber();
    }
  }

  #readMembers(): Map<string, string> {
    const members = new Map<string, string>();
    this.#enter();
    while (!this.#isAtEnd(closeBrace, members.size)) {
      if (this.#code() !== quote) this.#failHere('a key in double quotes');
      const key = this.#readString();
      const name = nameOf(key);
      if (members.has(name)) fail(`has the key ${shorten(key)} twice in one object`);
      this.#skipWhitespace();
      if (this.#code() !== colon) this.#failHere('":"');
      this.#at += 1;
      this.#skipWhitespace();
      members.set(name, this.#readValue());
      this.#skipWhitespace();
    }
    return members;
  }

  #readArray(): string {
    const items: string[] = [];
    this.#enter();
    while (!this.#isAtEnd(closeBracket, items.length)) {
      items.push(this.#readValue());
      this.#skipWhitespace();
    }
    return `[${items.join(',')}]`;
  }

  #enter(): void {
    this.#at += 1;
    this.#depth += 1;
    if (this.#depth > deepest) fail(`is nested more than ${deepest} deep`);
    this.#skipWhitespace();
  }

  /** Steps over the closing bracket, or over the comma before a further item. */
  #isAtEnd(close: number, count: number): boolean {
    if (this.#code() === close) {
      this.#at += 1;
      this.#depth -= 1;
      return true;
    }
    if (count === 0) return false;
    if (this.#code() !== comma) this.#failHere(`"," or "${String.fromCharCode(close)}"`);
    this.#at += 1;
    this.#skipWhitespace();
    return false;
  }

  #readString(): string {
    const start = this.#at;
    let hasEscape = false;
    for (let at = start + 1; ; at += 1) {
      // NaN at the end of the text, which no comparison takes for a character
      const code = this.#text.charCodeAt(at);
      if (code === quote) {
        this.#at = at + 1;
        const literal = this.#text.slice(start, this.#at);
        return hasEscape ? this.#unescape(literal, start) : literal;
      }
      if (code === backslash) {
        hasEscape = true;
        at += 1;
      } else if (!(code >= 0x20)) {
        this.#at = at;
        this.#failHere('the rest of a string, control characters escaped');
      }
    }
  }

  /** JSON.stringify writes strings as RFC 8785 does, and half pairs as escapes, which it leaves open. */
  #unescape(literal: string, start: number): string {
    try {
      return JSON.stringify(JSON.parse(literal));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#at = start;
      return this.#failHere('a string with good escapes');
    }
  }

  #readNumber(): string {
    numberPattern.lastIndex = this.#at;
    const text = numberPattern.exec(this.#text)?.[0];
    if (text === undefined) return this.#failHere('a value');
    this.#at += text.length;
    return plainInteger.test(text) ? text : canonicalNumber(text);
  }

  #readWord(word: string): string {
    if (!this.#text.startsWith(word, this.#at)) this.#failHere('a value');
    this.#at += word.length;
    return word;
  }

  #skipWhitespace(): void {
    const start = this.#at;
    while (isSpace(this.#code())) this.#at += 1;
    if (this.#at === start) return;
    this.#compact += this.#text.slice(this.#runStart, start);
    this.#runStart = this.#at;
  }

  /** NaN at the end. */
  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #failHere(expected: string): never {
    const isAtEnd = this.#at >= this.#text.length;
    const place = isAtEnd ? 'it ends' : `character ${this.#at + 1} is`;
    return fail(`is not JSON: ${place} where there should be ${expected}`);
  }
}

function fail(reason: string): never {
  throw new UnfitEventError({ body: [reason] });
}

function writeObject(members: ReadonlyMap<string, string>): string {
  // the default order of strings is the RFC's: by UTF-16 code units
  const names = [...members.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${members.get(name) ?? ''}`).join(',')}}`;
}

function nameOf(key: string): string {
  return key.includes('\\') ? (JSON.parse(key) as string) : key.slice(1, -1);
}

const longestShown = 40;

function shorten(key: string): string {
  return key.length <= longestShown ? key : `${key.slice(0, longestShown)}…`;
}
