import type { PaymentsError } from '../errors.ts';
import type { Params } from '../http/params.ts';
import type { World } from '../world.ts';

/** One call of the API. `ids` are the parts of the path that vary, in order. */
export interface ApiCall {
  world: World;
  params: Params;
  ids: readonly string[];
}

/**
 * An error for the caller that nevertheless undoes nothing: a payment that was declined stays a fact. An error that is
 * thrown leaves no trace.
 */
export class Refusal {
  readonly error: PaymentsError;

  constructor(error: PaymentsError) {
    this.error = error;
  }
}

/** Answers an object of the API, or refuses. */
type Handler = (call: ApiCall) => object | Refusal;

/** Handlers by method and path, such as `POST /v1/customers/:id`. */
export type Routes = Record<string, Handler>;

export const idOf = (call: ApiCall): string => call.ids[0] ?? '';
