/** Texts, which are passed over, and numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** What a JSON text holds; numbers that a double cannot hold are their text: `"9007199254740993"`. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text.replace(tokens, (token) => (isTooLarge(token) ? `"${token}"` : token)));
}

function isTooLarge(token: string): boolean {
  if (token.startsWith('"')) return false;
  const value = Number(token);
  return /[.eE]/.test(token) ? !Number.isFinite(value) : !Number.isSafeInteger(value);
}
