import { defineConfig } from 'rolldown';

/** Native, or large and imported only when used: they stay packages of their own. What wraps DuckDB's binding is bundled. */
const separate = [
  '@duckdb/node-bindings',
  'exceljs',
  'jszip',
  'pino-pretty',
  'prom-client',
  'undici',
];

/** What the package ships: few files start faster than some hundred. The modules themselves are in build/. */
export default defineConfig({
  input: { bin: 'build/bin.js', cli: 'build/cli.js', index: 'build/index.js' },
  platform: 'node',
  logLevel: 'warn',
  external: (id) => separate.some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: 'dist',
    cleanDir: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
  },
});
