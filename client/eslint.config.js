// Linter rules: errors, not style, and nothing that the type check already finds.
import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import { browserFeatures } from './build/browser-features.js'
import svelteConfig from './svelte.config.js'

/** The page's security policy forbids them, and a browser says so only when they run. */
const FORBIDDEN = ['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({
  property,
  message: 'The page makes elements, never text into elements.',
}))

export default ts.config(
  { ignores: ['dist/', 'public/', 'src/wire.ts'] },
  js.configs.recommended,
  ...ts.configs.recommendedTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] },
    },
    rules: {
      eqeqeq: 'error',
      'no-restricted-properties': ['error', ...FORBIDDEN],
      'no-empty': ['error', { allowEmptyCatch: true }],
      'no-undef': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off', // few of our methods use `this`
      'svelte/require-store-reactive-access': 'off', // there are no stores, and it takes a sixth of the time
      'svelte/prefer-svelte-reactivity': 'off', // shown state is in runes; a plain Set beside them is correct
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // The parser does not know the types of what stands in a template; svelte-check does.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.svelte'],
    ignores: ['src/**/*.test.ts', 'src/pwa/service-worker.ts'],
    plugins: { ratscrew: { rules: { 'browser-features': browserFeatures } } },
    rules: { 'ratscrew/browser-features': 'error' },
  },
  { files: ['src/i18n/*.ts'], rules: { '@typescript-eslint/no-unnecessary-type-assertion': 'off' } }, // one catalogue is the type of the other
  {
    files: ['*.js', '*.ts', 'build/*'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { globals: globals.node },
  },
)
