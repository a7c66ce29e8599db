import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { TZ: 'UTC' },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/desk/**'] },
      },
      {
        extends: true,
        test: { name: 'desk', include: ['test/desk/**/*.test.ts'], testTimeout: 180_000 },
      },
    ],
  },
});
