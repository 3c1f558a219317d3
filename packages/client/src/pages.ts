interface PageQuery {
  readonly page_size?: number | undefined;
  readonly page_number?: number | undefined;
}

interface PagedInput {
  readonly query?: PageQuery;
}

interface Page<Item> {
  readonly results: readonly Item[];
  readonly total: number;
}

/** As many as the API gives at once. */
const pageSizeMax = 100;

/**
 * Everything that a paged call has, one after another; the next page is asked for when it is needed:
 * `for await (const list of eachOf(client.validations.listLists)) …`. New entries stand first, so one that is made
 * meanwhile may bring its neighbour twice; nothing is left out.
 */
export async function* eachOf<Input extends PagedInput, Item>(
  call: (input: Input) => Promise<Page<Item>>,
  input: Input = {} as Input,
): AsyncGenerator<Item, void, undefined> {
  const { page_size = pageSizeMax, page_number = 1 } = input.query ?? {};
  for (let number = page_number; ; number += 1) {
    const query = { ...input.query, page_size, page_number: number };
    const { results, total } = await call({ ...input, query });
    yield* results;
    if (results.length === 0 || number * page_size >= total) return;
  }
}
