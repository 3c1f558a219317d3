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
    why: 'a job with the statements that only it runs',
    files: ['features/outcomes/match-outcomes.ts'],
  },
];
