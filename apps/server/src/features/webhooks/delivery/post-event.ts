import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { ForbiddenAddress, lookupAllowed, type ResolveHost } from '../lookup-allowed.ts';
import { bareHost, isPrivate, mayDial, whyRefused } from '../webhook-address.ts';

export interface PostOptions {
  /** Private ranges that may be dialled. */
  readonly allowRanges: readonly string[];
  /** Resolves names; the system's resolver by default. */
  readonly resolve?: ResolveHost;
  readonly timeoutMs?: number;
}

export interface PostedEvent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostOutcome {
  readonly isDelivered: boolean;
  /** The receiver refuses this event permanently. */
  readonly isRefused: boolean;
  readonly responseStatus: number | null;
  /** Text for the customer; null if delivered. */
  readonly error: string | null;
  /** The receiver's Retry-After. */
  readonly retryAfterMs: number | null;
}

const defaultTimeoutMs = 15_000;
/** We read the body only to end the response. */
const answerBytesMax = 65_536;

/** Facts about the target of a request. */
interface Target {
  isPrivate: boolean;
}

/** Posts an event. A failure is an outcome; it throws only when the caller aborts. */
export async function postEvent(
  event: PostedEvent,
  options: PostOptions,
  signal: AbortSignal,
): Promise<PostOutcome> {
  const { timeoutMs = defaultTimeoutMs } = options;
  const patience = AbortSignal.timeout(timeoutMs);
  const target: Target = { isPrivate: false };
  try {
    const answer = await post(event, options, target, AbortSignal.any([signal, patience]));
    return outcomeOf(answer);
  } catch (error) {
    signal.throwIfAborted();
    const text = patience.aborted ? `No answer within ${timeoutMs / 1_000} seconds.` : failureText(error);
    return failed(target.isPrivate ? privateFailureText : text);
  }
}

/** The same for every failure, because the log of deliveries must not reveal open ports of a private network. */
const privateFailureText =
  'The receiver did not take the event: it is not running, did not answer in time, or is not a web server.';

const failed = (error: string): PostOutcome => ({
  isDelivered: false,
  isRefused: false,
  responseStatus: null,
  error,
  retryAfterMs: null,
});

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

async function post(
  event: PostedEvent,
  options: PostOptions,
  target: Target,
  signal: AbortSignal,
): Promise<Answer> {
  const url = new URL(event.url);
  // A literal address is dialled without a lookup, so it is checked here. The operator's ranges may have changed.
  if (whyRefused(url, options.allowRanges) !== null) throw new ForbiddenAddress();
  target.isPrivate = isIP(bareHost(url)) !== 0 && isPrivate(bareHost(url));
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      {
        method: 'POST',
        headers: { ...event.headers, 'content-length': String(Buffer.byteLength(event.body)) },
        // A new connection each time: a kept one would go to the name's earlier address.
        agent: false,
        lookup: lookupAllowed({
          mayDial: (address) => mayDial(address, url, options.allowRanges),
          resolve: options.resolve,
          onAllowed: (addresses) => {
            target.isPrivate = addresses.some(({ address }) => isPrivate(address));
          },
        }),
        signal,
      },
      (answer) => {
        const { statusCode: status = 0, headers } = answer;
        const decide = () => resolve({ status, retryAfter: headers['retry-after'] });
        // Only the status counts: a body that stalls or breaks must not delay later events.
        sending.off('error', reject).on('error', decide);
        readToEnd(answer).then(decide, decide);
      },
    );
    sending.on('error', reject);
    // Without a listener, Node closes the connection and reports neither an answer nor an error.
    sending.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, retryAfter: undefined });
    });
    sending.end(event.body);
  });
}

async function readToEnd(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    if (bytes > answerBytesMax) return;
  }
}

function outcomeOf({ status, retryAfter }: Answer): PostOutcome {
  const isDelivered = status >= 200 && status < 300;
  const isRedirect = status >= 300 && status < 400;
  const redirectText = isRedirect ? ' Redirects are not followed: give the address that they lead to.' : '';
  return {
    isDelivered,
    isRefused: status === 410,
    responseStatus: status,
    error: isDelivered ? null : `Answered ${status}.${redirectText}`,
    retryAfterMs: /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : null,
  };
}

/** One text for all of them, because the log of deliveries must not reveal which names a private network has. */
const nowhereText =
  'The host name leads nowhere on the internet: it is not known, cannot be looked up, or belongs to a private network, where events are never sent.';

const failures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was cut off.',
  EHOSTUNREACH: 'The host could not be reached.',
  ENETUNREACH: 'The host could not be reached.',
  ENOTFOUND: nowhereText,
  ENODATA: nowhereText,
  EAI_AGAIN: nowhereText,
  ETIMEDOUT: 'The host did not answer.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is not trusted.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is not trusted.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
};

function failureText(error: unknown): string {
  if (error instanceof ForbiddenAddress) return nowhereText;
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  // With several addresses, each has its own error; they are mostly the same.
  return failures[code ?? errors?.[0]?.code ?? ''] ?? 'The connection failed.';
}
