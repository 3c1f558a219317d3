/** The statements of the API that may touch rows of accounts without naming the account, each with its reason. */
export const exceptions: {
  /** Look-ups by a column that is unique over all accounts. */
  readonly uniqueKeys: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Folders, files, or functions of files (`users.store.ts findIdentities`). */
  readonly places: readonly { readonly place: string; readonly why: string }[];
} = {
  uniqueKeys: {
    api_keys: { key_hash: 'a call finds its account by the hash of its key' },
    scoped_api_keys: {
      key_hash: 'a call finds its account by the hash of its key',
      previous_hash: 'the same for a secret that a roll replaced',
    },
    export_links: { token_hash: 'whoever has the link may download, without an account' },
  },
  places: [
    { place: 'features/operator/', why: 'operators see and change all accounts' },
    {
      place: 'features/feeds/feeds.store.ts findCalledFeeds',
      why: 'a sender calls a feed by its id, and proves itself',
    },
  ],
};

/** Files that are no stores and name tables of accounts in SQL. A new one belongs into a `*.store.ts`. */
export const sqlOutsideStores: readonly { readonly why: string; readonly files: readonly string[] }[] = [
  {
    why: 'statements of lists, between the steps that they serve',
    files: [
      'features/guessing/lists/enqueue-people.ts',
      'features/guessing/lists/finish-guess-list.ts',
      'features/guessing/lists/old-uploads.ts',
      'features/lists/list-waits.ts',
      'features/uploads/sweep-uploads.ts',
      'features/uploads/upload-room.ts',
      'features/uploads/uploads.ts',
      'features/verification/exports/export-rows.ts',
      'features/verification/exports/stream-export.ts',
      'features/verification/lists/address-blocks.ts',
      'features/verification/lists/address-search.ts',
      'features/verification/lists/copy-rows.ts',
      'features/verification/lists/copy-unknown-rows.ts',
      'features/verification/lists/enqueue-chunks.ts',
      'features/verification/lists/far-pages.ts',
      'features/verification/lists/finish-list.ts',
      'features/verification/lists/large-lists.ts',
      'features/verification/lists/remove-rows.ts',
      'features/verification/lists/suppressed-unknowns.ts',
      'features/verification/lists/write-results.ts',
    ],
  },
  {
    why: 'jobs and commands that are little more than their statements',
    files: [
      'features/activity/verify-chains.ts',
      'features/billing/payments/stray-customers.ts',
      'features/guessing/customer-removal.ts',
      'features/guessing/old-guesses.ts',
      'features/operator/abuse.ts',
      'features/operator/operators.ts',
      'features/operator/withheld-credits.ts',
      'features/outcomes/export-outcomes.ts',
      'features/outcomes/match-outcomes.ts',
      'features/outcomes/old-outcomes.ts',
      'features/outcomes/outcomes-of-checks.ts',
      'features/outcomes/resume-matching.ts',
      'features/recovery/catch-up-after-restore.ts',
      'features/verification/checked/find-checks.ts',
      'features/verification/customer-removal.ts',
      'features/verification/sweep.ts',
    ],
  },
  {
    why: 'the name of a table for code that several tables share',
    files: [
      'features/feeds/feed-secret.ts',
      'features/verification/hide-live-work.ts',
      'features/warmup/maintain-tokens.ts',
    ],
  },
];
