// Used by jobs on reading threads, so this must not load the database.

/** Few enough for one statement. */
const entriesPerPage = 5_000;

/** Entries as JSON that the database reads, a page for each statement; of several with one target the last counts. */
export function entryPages(entries: readonly { readonly target: string }[]): string[] {
  const distinct = [...new Map(entries.map((entry) => [entry.target, entry])).values()];
  return Array.from({ length: Math.ceil(distinct.length / entriesPerPage) }, (_, page) =>
    JSON.stringify(distinct.slice(page * entriesPerPage, (page + 1) * entriesPerPage)),
  );
}
