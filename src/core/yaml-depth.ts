import { Lexer, Parser } from 'yaml';

/**
 * Whether a YAML text opens more collections in one another than `most`. To be asked before the text is read:
 * the reader of documents calls itself for each, and a stack that is full has ended whole processes. This one
 * keeps a stack of its own.
 */
export function isDeeperThan(text: string, most: number): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme));
    // the document and the token at hand are on it too
    if (parser.stack.length > most + 2) return true;
  }
  return false;
}
