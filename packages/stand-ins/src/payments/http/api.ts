import { hash, timingSafeEqual } from 'node:crypto';
import type { Answer, WebRequest } from '@assay/pages';
import type { Routes } from '../api/call.ts';
import { invalidRequest, PaymentsError } from '../errors.ts';
import { apiVersion } from '../objects.ts';
import { newId, type World } from '../world.ts';
import type { Failures } from './failures.ts';
import { Params } from './params.ts';
import { createRouter } from './routing.ts';

const replaySeconds = 24 * 60 * 60;

/** The API: one request in, one answer out, or none at all when the connection is to be cut. */
export function createApi(options: { world: World; routes: Routes; secretKey: string; failures: Failures }) {
  const { world, failures } = options;
  const route = createRouter(options.routes);

  const answer = (request: WebRequest): Answer => {
    const { method, path, headers } = request;
    authenticate(headers.authorization, options.secretKey);
    const match = route(method, path);
    if (match === undefined) {
      const told = `Unrecognized request URL (${method}: ${path}). The stand-in knows only the calls of Assay.`;
      throw invalidRequest(told, {}, 404);
    }
    const replay = method === 'POST' ? replayOf(world, request) : undefined;
    if (replay?.kept) return replay.kept;

    try {
      return world.store.transact(() => {
        const params = new Params(new URLSearchParams(`${request.query}&${request.body}`));
        const result = match.handler({ world, params, path, ids: match.ids });
        params.refuseUnread();
        const reply = result instanceof PaymentsError ? errorAnswer(result) : json(200, result);
        replay?.keep(reply);
        return reply;
      });
    } catch (error) {
      // A declined card is an outcome, and repeating the call repeats it. What was asked wrongly may be asked again.
      if (error instanceof PaymentsError && error.status === 402) replay?.keep(errorAnswer(error));
      throw error;
    }
  };

  const attempt = (request: WebRequest): Answer => {
    try {
      return answer(request);
    } catch (error) {
      if (error instanceof PaymentsError) return errorAnswer(error);
      console.error('payments stand-in: a call failed', error);
      return brokenAnswer;
    }
  };

  return (request: WebRequest): Answer | 'cut' => {
    const failure = failures.take(request.method, request.path);
    if (failure === 'dropped_connection') return 'cut';
    const reply =
      failure === undefined || failure === 'lost_answer' ? attempt(request) : failedAnswers[failure];
    if (failure === 'lost_answer') return 'cut';
    const headers = { 'request-id': newId('req'), 'stripe-version': apiVersion, 'cache-control': 'no-store' };
    return { ...reply, headers: { ...headers, ...reply.headers } };
  };
}

const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: `${JSON.stringify(body, null, 2)}\n`,
});

const errorAnswer = (error: PaymentsError): Answer => json(error.status, { error: error.body });

const brokenAnswer = json(500, { error: { type: 'api_error', message: 'An unknown error occurred' } });

const failedAnswers = {
  server_error: brokenAnswer,
  refused: errorAnswer(invalidRequest('This request is refused, as it was asked for.')),
};

function authenticate(authorization: string | undefined, secretKey: string): void {
  const given = authorization?.replace(/^Bearer /, '');
  // Digests, so that neither length nor content shows in the time it takes.
  if (given && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secretKey, 'buffer'))) return;
  const told = given
    ? `Invalid API Key provided: ${given.slice(0, 8)}****`
    : 'You did not provide an API key.';
  throw invalidRequest(told, {}, 401);
}

/** The answer that was given to the same call with the same idempotency key, or a way to keep one. */
function replayOf({ store, clock }: World, request: WebRequest) {
  const id = request.headers['idempotency-key'];
  if (id === undefined) return undefined;
  store.removeOlder('replay', clock.seconds() - replaySeconds);
  const { method, path, query, body: sent } = request;
  const fingerprint = hash('sha256', `${method} ${path}\n${query}\n${sent}`);
  const replay = store.find('replay', id);
  if (replay !== undefined && replay.fingerprint !== fingerprint) {
    const message = `The idempotency key '${id}' was used with other parameters before.`;
    throw new PaymentsError(400, { type: 'idempotency_error', message });
  }
  const headers = { 'content-type': 'application/json', 'idempotent-replayed': 'true' };
  return {
    kept: replay && { status: replay.status, headers, body: replay.body },
    keep: ({ status, body }: Answer) =>
      store.put('replay', { id, fingerprint, status, body: String(body), created: clock.seconds() }),
  };
}
