import {
  closeBracket,
  comma,
  isSpace,
  lineFeed,
  openBrace,
  openBracket,
  quote,
} from '../json-bytes.ts';
import { JsonWalk } from './json-walk.ts';

/** A text that stands where an event should stand, or a piece of one that is too long. */
export interface ScannedText {
  /** On which its first byte stands; the first line is 1. */
  readonly line: number;
  /** Which of the input's texts it is; the first is 1. */
  readonly number: number;
  /** Which of its array's elements it is, from 1; null where it stands in none. */
  readonly element: number | null;
  readonly bytes: Buffer;
  /** Why it is no event, where that is known before it is read. */
  readonly flaw: string | null;
  /** A further piece of the text before it. */
  readonly isContinued: boolean;
}

/** What an input ends in the middle of, and the line on which that begins. */
export interface CutOff {
  readonly what: 'array' | 'event';
  readonly line: number;
}

/** The text that is being scanned. Places are indexes into the buffer. */
interface CurrentText {
  start: number;
  readonly line: number;
  readonly number: number;
  readonly element: number | null;
  /** Columns before the first mark of its first line. */
  readonly indent: number;
  readonly walk: JsonWalk;
  /** Where its second line begins; null while it has one line only. */
  second: number | null;
  flaw: string | null;
  hasPieces: boolean;
}

/**
 * `between`: no text has begun. `value`: inside of JSON. `after`: behind its end, where only the next
 * line or event may follow. `rest`: on the way to where the next event may begin. `lost`: a value had
 * no end, and only the look of a line tells where the next one begins.
 */
type Mode = 'between' | 'value' | 'after' | 'rest' | 'lost';

/**
 * Cuts an input into the texts of its events: an array's elements, lines, or objects over several lines,
 * one after another. Holds no more than one text. A broken text does not take its neighbours with it:
 * the next one is looked for from its second line on, in a line that begins with `{` and is indented no deeper.
 */
export class Scanner {
  readonly #maxBytes: number;
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;
  #mode: Mode = 'between';
  #text: CurrentText | null = null;
  #texts: ScannedText[] = [];
  #count = 0;
  #line = 1;
  #lineStart = 0;
  #indent: number | null = null;
  #arrayLine: number | null = null;
  #elements = 0;
  #cutLine: number | null = null;

  /** @param maxBytes what is longer is cut into pieces, and no event */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Known once the input is at its end: in the middle of what it ends, null when in nothing's. */
  get cutOff(): CutOff | null {
    if (this.#arrayLine !== null) return { what: 'array', line: this.#arrayLine };
    return this.#cutLine === null ? null : { what: 'event', line: this.#cutLine };
  }

  /** @returns the texts that are whole by now, in the input's order */
  push(chunk: Uint8Array): ScannedText[] {
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    this.#scan();
    this.#checkLength();
    this.#forget();
    return this.#take();
  }

  /** @returns what is left at the input's end */
  end(): ScannedText[] {
    while (this.#text !== null) {
      const { walk, hasPieces, line, second } = this.#text;
      if (this.#mode === 'value' && !walk.isBroken) this.#cutLine = line;
      const isOpen = this.#mode === 'value' && !hasPieces;
      if (isOpen) this.#text.flaw ??= 'the input ends in the middle of it';
      if (isOpen && second !== null) this.#lose(this.#text);
      else this.#finish(this.#buffer.length);
      this.#scan();
    }
    return this.#take();
  }

  #take(): ScannedText[] {
    const texts = this.#texts;
    this.#texts = [];
    return texts;
  }

  #scan(): void {
    while (this.#at < this.#buffer.length) {
      const byte = this.#buffer[this.#at] ?? 0;
      const column = this.#at - this.#lineStart;
      if (this.#indent === null && !isSpace(byte)) this.#indent = column;
      const isFirst = this.#indent === column;
      if (!this.#passes(byte, isFirst)) continue;
      this.#at += 1;
      if (byte === lineFeed) this.#beginLine(this.#at, this.#line + 1);
    }
  }

  /** @returns false where the byte is to be looked at again, as what comes next */
  #passes(byte: number, isFirst: boolean): boolean {
    const text = this.#text;
    if (text === null) return this.#passBetween(byte);
    if (byte === lineFeed) text.second ??= this.#at + 1;
    switch (this.#mode) {
      case 'value':
        return this.#passInValue(byte, text);
      case 'after':
        return this.#passAfter(byte);
      case 'lost':
        return this.#passLost(byte, isFirst, text);
      case 'rest':
      case 'between':
        return this.#passInRest(byte);
    }
  }

  #passBetween(byte: number): boolean {
    if (isSpace(byte) || byte === comma) return true;
    if (byte === openBracket && this.#arrayLine === null) {
      this.#arrayLine = this.#line;
      this.#elements = 0;
    } else if (byte === closeBracket && this.#arrayLine !== null) {
      this.#arrayLine = null;
    } else {
      this.#begin(byte);
      return false;
    }
    return true;
  }

  #begin(byte: number): void {
    this.#count += 1;
    this.#elements += 1;
    // what was taken for cut off was broken: more comes after it
    this.#cutLine = null;
    this.#text = {
      start: this.#at,
      line: this.#line,
      number: this.#count,
      element: this.#arrayLine === null ? null : this.#elements,
      indent: this.#indent ?? 0,
      walk: new JsonWalk(),
      second: null,
      flaw: null,
      hasPieces: false,
    };
    this.#mode = [openBrace, openBracket, quote].includes(byte) ? 'value' : 'rest';
  }

  #passInValue(byte: number, text: CurrentText): boolean {
    const isEnd = text.walk.step(byte);
    if (text.walk.isBroken && text.second !== null && !text.hasPieces) {
      text.flaw ??= 'it is no JSON, or has no end';
      this.#lose(text);
      return false;
    }
    if (isEnd) this.#mode = 'after';
    else if (text.hasPieces && byte === lineFeed) this.#mode = 'lost';
    return true;
  }

  #passAfter(byte: number): boolean {
    if (byte === lineFeed || byte === comma || this.#isStartOrEnd(byte)) {
      this.#finish(this.#at);
      return false;
    }
    if (!isSpace(byte)) this.#mode = 'rest';
    return true;
  }

  #passInRest(byte: number): boolean {
    const isInArray = this.#arrayLine !== null;
    if (byte === lineFeed || (isInArray && (byte === comma || this.#isStartOrEnd(byte)))) {
      this.#finish(this.#at);
      return false;
    }
    return true;
  }

  #isStartOrEnd(byte: number): boolean {
    return byte === openBrace || byte === (this.#arrayLine === null ? openBracket : closeBracket);
  }

  #passLost(byte: number, isFirst: boolean, text: CurrentText): boolean {
    if (!isFirst || (this.#indent ?? 0) > text.indent || !this.#isStartOrEnd(byte)) return true;
    this.#finish(this.#lineStart);
    return false;
  }

  /** Goes back to the second line, in search of the next event. */
  #lose(text: CurrentText): void {
    this.#mode = 'lost';
    this.#at = text.second ?? this.#buffer.length;
    this.#beginLine(this.#at, text.line + 1);
  }

  #beginLine(start: number, line: number): void {
    this.#line = line;
    this.#lineStart = start;
    this.#indent = null;
  }

  #finish(end: number): void {
    if (this.#text) this.#emit(this.#text, end);
    this.#text = null;
    this.#mode = 'between';
  }

  #emit(text: CurrentText, end: number): void {
    const { line, number, element, hasPieces: isContinued } = text;
    const bytes = trimmed(this.#buffer.subarray(text.start, end));
    if (bytes.length > this.#maxBytes) text.flaw ??= this.#tooLong();
    if (isContinued && bytes.length === 0) return;
    this.#texts.push({ line, number, element, bytes, flaw: text.flaw, isContinued });
  }

  /** Gives what is already too long away in pieces, or looks for an end that it may have missed. */
  #checkLength(): void {
    const text = this.#text;
    // behind an end, blanks do not count
    const mostBytes = this.#mode === 'after' ? 2 * this.#maxBytes : this.#maxBytes;
    if (text === null || this.#at - text.start <= mostBytes) return;
    text.flaw ??= this.#tooLong();
    if (this.#mode === 'value' && text.second !== null && !text.hasPieces) {
      this.#lose(text);
      this.#scan();
      this.#checkLength();
      return;
    }
    this.#emit(text, this.#at);
    text.start = this.#at;
    text.hasPieces = true;
  }

  #tooLong(): string {
    return `it has more than ${this.#maxBytes.toLocaleString('en-US')} bytes, or no end`;
  }

  /** Lets go of what is done, so that the buffer begins with the text that is being scanned. */
  #forget(): void {
    const start = this.#text?.start ?? this.#at;
    this.#buffer = this.#buffer.subarray(start);
    this.#at -= start;
    this.#lineStart -= start;
    if (!this.#text) return;
    this.#text.start = 0;
    if (this.#text.second !== null) this.#text.second -= start;
  }
}

function trimmed(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isSpace(bytes[end - 1] ?? 0)) end -= 1;
  return bytes.subarray(0, end);
}
