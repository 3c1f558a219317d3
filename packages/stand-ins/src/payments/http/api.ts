import { createHash, timingSafeEqual } from 'node:crypto';
import type { Answer, WebRequest } from '@assay/pages';
import type { Routes } from '../api/call.ts';
import { invalidRequest, PaymentsError, unrecognizedUrl } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Replay } from '../store/tables.ts';
import { apiVersion } from '../wire.ts';
import type { World } from '../world.ts';
import type { Failures } from './failures.ts';
import { parseForm } from './form.ts';
import { Params } from './params.ts';
import { createRouter } from './routing.ts';

const replaySeconds = 24 * 60 * 60;

/** The API: one request in, one answer out, or none at all when the connection is to be cut. */
export function createApi(options: { world: World; routes: Routes; secretKey: string; failures: Failures }) {
  const { world, failures } = options;
  const route = createRouter(options.routes);

  const answer = (request: WebRequest, requestId: string): Answer => {
    authenticate(request, options.secretKey);
    assertVersion(request.headers['stripe-version']);
    const match = route(request.method, request.path);
    if (match === undefined) throw unrecognizedUrl(request.method, request.path);

    const fields = parseForm([request.query, request.body].filter(Boolean).join('&'));
    const key = request.method === 'POST' ? (request.headers['idempotency-key'] ?? null) : null;
    const fingerprint = fingerprintOf(request);
    const replayed = key === null ? undefined : findReplay(world, key, fingerprint);
    if (replayed !== undefined) return replayed;

    try {
      return world.store.transact(() => {
        const params = new Params(fields);
        const result = match.handler({ world, params, ids: match.ids });
        params.refuseUnread();
        const reply = result instanceof PaymentsError ? errorAnswer(result) : json(200, result);
        if (key !== null) remember(world, { key, fingerprint, requestId, reply });
        return reply;
      });
    } catch (error) {
      // A declined card is an outcome, and repeating the call repeats it. What was asked wrongly may be asked again.
      if (key !== null && error instanceof PaymentsError && error.status === 402) {
        remember(world, { key, fingerprint, requestId, reply: errorAnswer(error) });
      }
      throw error;
    }
  };

  return (request: WebRequest): Answer | 'cut' => {
    const requestId = newId('req');
    const failure = failures.take(request.method, request.path);
    if (failure === 'dropped_connection') return 'cut';
    const reply = failure === undefined || failure === 'lost_answer' ? attempt() : failedAnswers[failure];
    if (failure === 'lost_answer') return 'cut';
    return {
      ...reply,
      headers: {
        'request-id': requestId,
        'stripe-version': apiVersion,
        'cache-control': 'no-store',
        ...reply.headers,
      },
    };

    function attempt(): Answer {
      try {
        return answer(request, requestId);
      } catch (error) {
        if (error instanceof PaymentsError) return errorAnswer(error);
        console.error('payments stand-in: a call failed', error);
        return brokenAnswer;
      }
    }
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

function authenticate(request: WebRequest, secretKey: string): void {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (!given) {
    throw new PaymentsError(401, {
      type: 'invalid_request_error',
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    });
  }
  if (!isSame(given, secretKey)) {
    throw new PaymentsError(401, {
      type: 'invalid_request_error',
      message: `Invalid API Key provided: ${given.slice(0, 8)}****${given.slice(-4)}`,
    });
  }
}

/** Compares digests, so that neither length nor content shows in the time it takes. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function assertVersion(version: string | undefined): void {
  const major = apiVersion.split('.')[1];
  if (version === undefined || version.endsWith(`.${major}`)) return;
  throw invalidRequest(`Invalid Stripe API version: ${version}. The stand-in speaks ${apiVersion}.`);
}

function fingerprintOf({ method, path, query, body }: WebRequest): string {
  return createHash('sha256').update(`${method} ${path}\n${query}\n${body}`).digest('hex');
}

function findReplay(world: World, key: string, fingerprint: string): Answer | undefined {
  const replay = world.store.find('replay', key);
  if (replay === undefined || isForgotten(world, replay)) return undefined;
  if (replay.fingerprint !== fingerprint) {
    throw new PaymentsError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }
  return {
    status: replay.status,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      'idempotent-replayed': 'true',
      'original-request': replay.requestId,
    },
    body: replay.body,
  };
}

const isForgotten = (world: World, replay: Replay): boolean =>
  replay.created < world.clock.seconds() - replaySeconds;

function remember(
  world: World,
  {
    key,
    fingerprint,
    requestId,
    reply,
  }: { key: string; fingerprint: string; requestId: string; reply: Answer },
): void {
  const { store, clock } = world;
  for (let old = store.oldest('replay'); old && isForgotten(world, old); old = store.oldest('replay')) {
    store.remove('replay', old.id);
  }
  store.put('replay', {
    id: key,
    fingerprint,
    requestId,
    status: reply.status,
    body: String(reply.body),
    created: clock.seconds(),
  });
}
