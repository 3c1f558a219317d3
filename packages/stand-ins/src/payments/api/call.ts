import type { Params } from '../http/params.ts';
import type { World } from '../world.ts';

/** One call of the API. `ids` are the parts of the path that vary, in order. */
export interface ApiCall {
  world: World;
  params: Params;
  ids: readonly string[];
}

/** Answers an object of the API. An error that it throws undoes everything it did; one that it returns does not. */
type Handler = (call: ApiCall) => object;

/** Handlers by method and path, such as `POST /v1/customers/:id`. */
export type Routes = Record<string, Handler>;

export const idOf = (call: ApiCall): string => call.ids[0] ?? '';
