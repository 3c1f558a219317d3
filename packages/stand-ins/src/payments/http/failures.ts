/**
 * A call that shall go wrong. `dropped_connection` is cut before anything happens; `lost_answer` after everything did,
 * so that only an idempotency key saves the caller from doing it twice. `refused` is an invalid request.
 */
export interface FailingCall {
  method?: 'GET' | 'POST' | 'DELETE';
  /** The whole path, such as `/v1/customers`, or a pattern for it. Every path when not given. */
  path?: string | RegExp;
  with: 'server_error' | 'dropped_connection' | 'lost_answer' | 'refused';
  /** How many such calls fail, one after another. */
  times?: number;
}

export class Failures {
  #waiting: (FailingCall & { left: number })[] = [];

  add(call: FailingCall): void {
    this.#waiting.push({ ...call, left: call.times ?? 1 });
  }

  take(method: string, path: string): FailingCall['with'] | undefined {
    const failure = this.#waiting.find((call) => {
      const isPath = call.path instanceof RegExp ? call.path.test(path) : (call.path ?? path) === path;
      return (call.method ?? method) === method && isPath;
    });
    if (failure === undefined) return undefined;
    failure.left -= 1;
    this.#waiting = this.#waiting.filter(({ left }) => left > 0);
    return failure.with;
  }
}
