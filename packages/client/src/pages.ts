interface PageQuery {
  readonly page_size?: number;
  readonly page_number?: number;
}

interface Page<Item> {
  readonly results: readonly Item[];
  readonly total: number;
}

type NoInput = Record<never, never>;

/** As many as the API gives at once. */
const pageSizeMax = 100;

/**
 * Everything that a paged call has, one after another; the next page is asked for when it is needed:
 * `for await (const list of eachOf(client.validations.listLists)) …`. New entries stand first, so one that is made
 * meanwhile may bring its neighbour twice; nothing is left out.
 */
export async function* eachOf<Input, Item>(
  call: (input: Input) => Promise<Page<Item>>,
  // Asked for when the call needs more than a page, such as which list it is about.
  ...[input]: NoInput extends Input ? [input?: Input] : [input: Input]
): AsyncGenerator<Item, void, undefined> {
  const given = input as { readonly query?: PageQuery } | undefined;
  const { page_size = pageSizeMax, page_number = 1 } = given?.query ?? {};
  for (let number = page_number; ; number += 1) {
    const query = { ...given?.query, page_size, page_number: number };
    const { results, total } = await call({ ...given, query } as Input);
    yield* results;
    if (results.length === 0 || number * page_size >= total) return;
  }
}
