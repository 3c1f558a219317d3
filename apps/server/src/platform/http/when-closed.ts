import type { ServerResponse } from 'node:http';

/**
 * Runs a task when the response closes: it was sent, or the client is gone. Also runs it when the client left before this
 * call, because 'close' fires only once.
 */
export function whenClosed(response: ServerResponse, task: () => void): void {
  if (response.closed) task();
  else response.once('close', task);
}
