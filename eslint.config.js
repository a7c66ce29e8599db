import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist/', 'build/', 'demo/', 'node_modules/', 'coverage/', '.cache/'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['eslint.config.js', 'bundle.js', 'src/render/html/page/*.js'],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-restricted-imports': [
        'error',
        {
          name: 'date-fns',
          message: "Import 'date-fns/<function>': all of it costs each start 70 ms.",
        },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // an interface names what a function makes, in hovers and errors too
      '@typescript-eslint/no-empty-object-type': [
        'error',
        { allowInterfaces: 'with-single-extends' },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  // benchmarks and the bundler import the built program, whose types exist only after a build; a page's script is the browser's
  {
    files: ['**/*.mjs', 'bundle.js', 'src/render/html/page/*.js'],
    ...tseslint.configs.disableTypeChecked,
  },
);
