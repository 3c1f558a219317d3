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
