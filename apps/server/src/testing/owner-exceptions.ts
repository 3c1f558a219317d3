const ofOwnPartition =
  "indexes of a large list's partitions, which its id names, have no owner; the page itself is read by its owner";

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
      place: 'features/billing/payments/payments.store.ts findPayerOfCustomer',
      why: 'the payment provider names its customer; who asks compares the account',
    },
    { place: 'features/verification/rows/emails.store.ts findPage', why: ofOwnPartition },
    { place: 'features/verification/rows/emails.store.ts findNewest', why: ofOwnPartition },
    {
      place: 'features/warmup/warmup.store.ts isConnected',
      why: 'all customers share the consent of a mailbox; the answer is whether it may be revoked',
    },
    {
      place: 'features/feeds/feeds.store.ts findCalledFeeds',
      why: 'a sender calls a feed by its id, and proves itself',
    },
  ],
};

/** Functions of stores that name a table of accounts and no account. */
export const forAllAccounts: readonly { readonly why: string; readonly functions: readonly string[] }[] = [
  {
    why: 'jobs and commands that look through all accounts',
    functions: [
      'features/billing/payments/payments.store.ts markAllForSync',
      'features/billing/payments/payments.store.ts findKnownCustomers',
      'features/billing/payments/payments.store.ts findAccountOf',
      'features/engine/bills/bills.store.ts findProviderBills',
      'features/engine/bills/bills.store.ts sweepBills',
      'features/guessing/lists/guess-lists.store.ts removeOldUploads',
      'features/suppressions/suppressions.store.ts startNewGeneration',
      'features/uploads/uploads.store.ts findFileKeys',
      'features/users/api-keys/api-keys.store.ts findAllKeys',
      'features/verification/rows/large-lists.store.ts findDeleted',
      'features/verification/sweep.store.ts deleteDrafts',
      'features/warmup/tokens.store.ts countTokensUnderOtherKeys',
      'features/warmup/warmup.store.ts deleteExpiredAuthorizations',
      'features/webhooks/delivery/deliveries.store.ts dropWaitingDeliveries',
      'platform/idempotency/answers.store.ts removeOldAnswers',
    ],
  },
  {
    why: 'the operator console',
    functions: [
      'features/operator/abuse.store.ts forgetScores',
      'features/operator/customers.store.ts findCustomers',
      'features/operator/customers.store.ts findOwners',
    ],
  },
  {
    why: 'the row or the condition that it is given names the account',
    functions: [
      'features/billing/payments/payments.store.ts selectPayers',
      'features/users/api-keys/scoped-keys.store.ts insertKey',
    ],
  },
  {
    why: 'its caller has the row of an account: a checkout, a key, a support case, a list',
    functions: [
      'features/billing/payments/payments.store.ts postponePackCheckout',
      'features/support/support.store.ts findDeliveries',
      'features/users/api-keys/api-keys.store.ts updateLastUsed',
      'features/users/api-keys/api-keys.store.ts replaceSealedKey',
      'features/verification/rows/large-lists.store.ts createPartitions',
      'features/verification/rows/rows.store.ts copyRowLines',
    ],
  },
  {
    why: 'all customers share the consent of a mailbox',
    functions: ['features/warmup/warmup.store.ts isConnected'],
  },
];
