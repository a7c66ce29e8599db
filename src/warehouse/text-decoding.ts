import { createRequire } from 'node:module';

/**
 * DuckDB's binding reads text with a decoder that drops a leading U+FEFF, so a post that begins with one
 * would come out other than it went in. It has no option for that; its decoder is replaced instead. The
 * version is pinned, and test/warehouse/database.test.ts fails if an update moves it.
 */
export function keepByteOrderMarks(): void {
  const accessors = createRequire(import.meta.url)(
    '@duckdb/node-api/lib/vectors/dataAccessors.js',
  ) as { textDecoder: unknown };
  accessors.textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
}
