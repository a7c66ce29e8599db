import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  lineFeed,
  openBrace,
  openBracket,
  quote,
} from '../json-bytes.ts';

/** What may come next, as bits. */
const [value, key, colonMark, commaMark, end] = [1, 2, 4, 8, 16];

/** Deeper values are no events, so that there is no need to follow them. */
const maxDepth = 200;

/**
 * Finds the end of a JSON object, array or text whose bytes come one after another. Of numbers, words and
 * escapes it knows only where they may stand: whoever reads the whole value judges those.
 */
export class JsonWalk {
  /** The closing marks that are due, the innermost last. */
  readonly #closers: number[] = [];
  #due = value;
  #isInText = false;
  #isEscaped = false;
  #isInWord = false;
  #isBroken = false;

  /** What was walked is the beginning of no JSON. From then on only its marks are counted. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** @returns whether the value ends with this byte */
  step(byte: number): boolean {
    if (this.#isInText) return this.#stepInText(byte);
    if (!isSpace(byte) && !isMark(byte)) {
      if (!this.#isInWord) this.#beginWord();
      return false;
    }
    this.#isInWord = false;
    return isSpace(byte) ? false : this.#passMark(byte);
  }

  #passMark(mark: number): boolean {
    switch (mark) {
      case quote:
        return this.#openText();
      case openBrace:
        return this.#open(closeBrace, key | end);
      case openBracket:
        return this.#open(closeBracket, value | end);
      case comma:
        this.#expect(commaMark);
        this.#due = this.#closers.at(-1) === closeBrace ? key : value;
        return false;
      case colon:
        this.#expect(colonMark);
        this.#due = value;
        return false;
      default:
        return this.#close(mark);
    }
  }

  #stepInText(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) return this.#closeText();
    if (byte === lineFeed) {
      this.#isBroken = true;
      this.#isInText = false;
    }
    return false;
  }

  /** A number, true, false, null; or what is none of them. */
  #beginWord(): void {
    this.#expect(value);
    this.#due = commaMark | end;
    this.#isInWord = true;
  }

  #openText(): boolean {
    this.#expect(value | key);
    this.#isInText = true;
    return false;
  }

  #closeText(): boolean {
    this.#isInText = false;
    this.#due = (this.#due & key) === 0 ? commaMark | end : colonMark;
    return this.#closers.length === 0;
  }

  #open(closer: number, due: number): boolean {
    this.#expect(value);
    this.#closers.push(closer);
    if (this.#closers.length > maxDepth) this.#isBroken = true;
    this.#due = due;
    return false;
  }

  #close(closer: number): boolean {
    this.#expect(end);
    if (this.#closers.pop() !== closer) this.#isBroken = true;
    this.#due = commaMark | end;
    return this.#closers.length === 0;
  }

  #expect(allowed: number): void {
    if ((this.#due & allowed) === 0) this.#isBroken = true;
  }
}

function isMark(byte: number): boolean {
  return (
    byte === quote ||
    byte === comma ||
    byte === colon ||
    byte === openBrace ||
    byte === closeBrace ||
    byte === openBracket ||
    byte === closeBracket
  );
}
