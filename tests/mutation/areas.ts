export interface Area {
  /** Source files to change, as Stryker globs. */
  readonly mutate: readonly string[];
  /** Tests that should notice, as Vitest globs. */
  readonly tests: readonly string[];
  readonly globalSetup?: readonly string[];
  /**
   * A change that makes a test wait in vain costs this time, and most changes to waiting code do. A test without a change
   * takes less than a tenth of it on an idle machine.
   */
  readonly patienceMs: number;
}

const verifier = (folder: string, without: readonly string[] = []): Area => ({
  mutate: [
    `packages/verifier/src/${folder}/**/*.ts`,
    '!**/*.test.ts',
    ...without.map((file) => `!**/${file}`),
  ],
  tests: [`packages/verifier/src/${folder}/**/!(verdicts-page).test.ts`],
  patienceMs: 10_000,
});

const databaseSetup = ['apps/server/src/testing/postgres.global-setup.ts'];

/** Rules of a feature on the server, by paths inside it. Their tests need a database unless `isPure`. */
const server = (
  feature: string,
  { rules, tests, isPure }: { rules: readonly string[]; tests: readonly string[]; isPure?: boolean },
): Area => ({
  mutate: rules.map((file) => `apps/server/src/features/${feature}/${file}.ts`),
  tests: tests.map((file) => `apps/server/src/features/${feature}/${file}.test.ts`),
  ...(!isPure && { globalSetup: databaseSetup }),
  patienceMs: isPure ? 5_000 : 30_000,
});

/** The code whose tests must notice a small change. */
export const areas: Record<string, Area> = {
  // The page only prints the rules; its test compares all of them with docs/verdicts.md and would notice any change.
  // rule.ts has the names of sources, reasons.ts sentences for customers.
  judgement: verifier('judgement', ['verdicts-page.ts', 'rule.ts', 'reasons.ts']),
  scheduling: {
    ...verifier('scheduling', ['engine.ts', 'run.ts']),
    tests: ['packages/verifier/src/scheduling/*/!(run|*.world).test.ts'],
    patienceMs: 5_000,
  },
  // Their tests verify streams of addresses in the mail world, which takes seconds.
  streams: {
    mutate: ['packages/verifier/src/scheduling/checks/{engine,run}.ts'],
    tests: ['packages/verifier/src/scheduling/*/*.test.ts'],
    patienceMs: 30_000,
  },
  dns: verifier('dns'),
  // testing/ builds the mails of its tests.
  bounces: verifier('bounces', ['testing/*.ts']),
  plans: server('billing', {
    rules: ['renewal-date', 'payments/decide-plan'],
    tests: ['renewal-date', 'payments/decide-plan'],
    isPure: true,
  }),
  payments: server('billing/payments', {
    rules: ['purchases', 'sync-customer'],
    tests: ['purchases', 'sync-customer'],
  }),
  ledger: server('billing', {
    rules: ['credit-ledger.store', 'paid-work', 'ledger-audit.store'],
    tests: ['credit-ledger', 'paid-work', 'ledger-audit'],
  }),
  coupons: server('billing/coupons', {
    rules: ['redeem-coupon', 'coupon-code', 'limit-attempts'],
    tests: ['redeem-coupon', 'coupon-code', 'limit-attempts'],
  }),
  settlement: {
    mutate: [
      'apps/server/src/features/lists/list-control.ts',
      'apps/server/src/features/lists/list-results.ts',
      'apps/server/src/features/verification/lists/write-results.ts',
      'apps/server/src/features/verification/rows/results.store.ts',
    ],
    tests: ['apps/server/src/features/verification/lists/{settlement,write-results,control}.test.ts'],
    globalSetup: databaseSetup,
    patienceMs: 30_000,
  },
};
