interface PageQuery {
  readonly page_size?: number;
  readonly page_number?: number;
}

interface Page<Item> {
  readonly results: readonly Item[];
  readonly total: number;
  /** False if there are more than `total`. */
  readonly total_is_exact?: boolean;
}

type NoInput = Record<never, never>;

/** The API's largest page. */
const pageSizeMax = 100;

/**
 * All entries of a paged call; loads the next page when it is needed:
 * `for await (const list of eachOf(client.validations.listLists)) …`. New entries come first, so an entry that is added
 * meanwhile can make another one appear twice; none is missed.
 */
export async function* eachOf<Input, Item>(
  call: (input: Input) => Promise<Page<Item>>,
  // Required if the call needs more than a page, such as the list id.
  ...[input]: NoInput extends Input ? [input?: Input] : [input: Input]
): AsyncGenerator<Item, void, undefined> {
  const given = input as { readonly query?: PageQuery } | undefined;
  const { page_size = pageSizeMax, page_number = 1 } = given?.query ?? {};
  for (let number = page_number; ; number += 1) {
    const query = { ...given?.query, page_size, page_number: number };
    const { results, total, total_is_exact = true } = await call({ ...given, query } as Input);
    yield* results;
    const isLast = total_is_exact ? number * page_size >= total : results.length < page_size;
    if (results.length === 0 || isLast) return;
  }
}
