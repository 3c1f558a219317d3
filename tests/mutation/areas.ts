export interface Area {
  /** Source files to change, as Stryker globs. */
  readonly mutate: readonly string[];
  /** Tests that should notice, as Vitest globs. */
  readonly tests: readonly string[];
  readonly globalSetup?: readonly string[];
}

const verifier = (folder: string, without: readonly string[] = []): Area => ({
  mutate: [
    `packages/verifier/src/${folder}/**/*.ts`,
    '!**/*.test.ts',
    ...without.map((file) => `!**/${file}`),
  ],
  tests: [`packages/verifier/src/${folder}/**/!(verdicts-page).test.ts`],
});

/** The code whose tests must notice a small change. */
export const areas: Record<string, Area> = {
  // The page only prints the rules; its test compares all of them with docs/verdicts.md and would notice any change.
  judgement: verifier('judgement', ['verdicts-page.ts']),
  scheduling: verifier('scheduling'),
  dns: verifier('dns'),
};
