import { REALTIME_CLOSE, type RealtimeEvent, realtimeHelloSchema } from '@assay/contract';
import type { WebSocket } from 'ws';
import type { Person, Subject, VerifyBearer } from '../../platform/auth/index.ts';
import type { Clock, Schedule } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { UserId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/logging/index.ts';
import type { Channels, Subscriber } from './channels.ts';

export interface SessionParts {
  readonly channels: Channels;
  readonly verifyBearer: VerifyBearer;
  readonly resolveSubject: (subject: Subject) => Promise<Person>;
  /** Whether this process receives events at the moment. */
  readonly isListening: () => boolean;
  readonly clock: Clock;
  readonly schedule: Schedule;
  readonly logger: Logger;
}

const greetingMs = 10_000;
/** Well below the minute after which proxies close a silent connection. */
const heartbeatMs = 25_000;
/** A heartbeat may be late by this much. */
const promisedHeartbeatMs = 30_000;
/** Closes a socket that stops reading before its unread events fill our memory. */
const unreadBytesMax = 262_144;
/** Tokens are renewed a few times an hour; more would only cost us signature checks. */
const messagesMax = 200;

/** Closing codes of RFC 6455 and its registry. */
const CLOSE = { invalidMessage: 1007, policy: 1008, tryAgainLater: 1013 } as const;

/** Handles one socket from its greeting to its end. */
export function runSession(socket: WebSocket, parts: SessionParts): void {
  let userId: UserId | null = null;
  let subject: Subject | null = null;
  let messageCount = 0;
  let hasAnsweredPing = true;
  let cancelTokenEnd = () => {};
  let cancelHeartbeat = () => {};
  /** Handles messages one after the other, so that the last token wins. */
  let turn = Promise.resolve();

  const cancelGreeting = parts.schedule(
    () => close(REALTIME_CLOSE.greetingLate, 'say your token'),
    greetingMs,
  );
  const subscriber: Subscriber = { send, recheck, close };

  socket.on('message', (data, isBinary) => {
    messageCount += 1;
    const token = isBinary ? null : tokenIn(data.toString());
    if (messageCount > messagesMax) close(CLOSE.policy, 'too many messages');
    else if (!token) close(CLOSE.invalidMessage, 'a message is {"token": …}');
    else turn = turn.then(() => greet(token)).catch(refuse);
  });
  socket.on('pong', () => {
    hasAnsweredPing = true;
  });
  socket.on('close', () => {
    cancelGreeting();
    cancelTokenEnd();
    cancelHeartbeat();
    if (userId) parts.channels.leave(userId, subscriber);
  });

  async function greet(token: string): Promise<void> {
    const verified = await parts.verifyBearer(token);
    const person = await parts.resolveSubject(verified.subject);
    if (socket.readyState !== socket.OPEN) return;

    const isFirst = userId === null;
    if (!admit(person.userId)) return;
    subject = verified.subject;
    // The session may have ended between its check and its entry here.
    if (isFirst) await parts.resolveSubject(subject);
    // A socket that closed meanwhile would keep its timer until the token ends.
    if (socket.readyState !== socket.OPEN) return;

    cancelTokenEnd();
    const lifeMs = verified.expiresAt.getTime() - parts.clock.now().getTime();
    cancelTokenEnd = parts.schedule(() => close(REALTIME_CLOSE.tokenEnded, 'the token has ended'), lifeMs);
    socket.send(JSON.stringify({ ready: true, heartbeat_ms: promisedHeartbeatMs }));
  }

  /** A newer token must be the same person's. */
  function admit(newId: UserId): boolean {
    if (userId !== null) {
      if (userId !== newId) close(REALTIME_CLOSE.unauthorized, 'another customer’s token');
      return userId === newId;
    }
    // "Ready" promises that events arrive from now on.
    if (!parts.isListening()) {
      close(CLOSE.tryAgainLater, 'events do not arrive at the moment');
      return false;
    }
    if (!parts.channels.join(newId, subscriber)) {
      close(REALTIME_CLOSE.tooManySockets, 'too many open tabs');
      return false;
    }
    userId = newId;
    cancelGreeting();
    beat();
    return true;
  }

  function refuse(error: unknown): void {
    if (error instanceof AppError && error.status === 401) {
      close(REALTIME_CLOSE.unauthorized, 'the token is not accepted');
      return;
    }
    parts.logger.warn({ err: error }, 'could not authenticate a socket');
    close(CLOSE.tryAgainLater, 'try again later');
  }

  function recheck(): void {
    turn = turn.then(async () => void (subject && (await parts.resolveSubject(subject)))).catch(refuse);
  }

  /** Browsers answer a ping without showing it to the page, so we also send a message. */
  function beat(): void {
    cancelHeartbeat = parts.schedule(() => {
      if (!hasAnsweredPing) {
        socket.terminate();
        return;
      }
      hasAnsweredPing = false;
      socket.ping();
      write(JSON.stringify({ heartbeat: true }));
      beat();
    }, heartbeatMs);
  }

  function send(event: RealtimeEvent): void {
    write(JSON.stringify(event));
  }

  function write(message: string): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > unreadBytesMax) socket.terminate();
    else socket.send(message);
  }

  function close(code: number, reason: string): void {
    socket.close(code, reason);
  }
}

function tokenIn(message: string): string | null {
  try {
    const hello = realtimeHelloSchema.safeParse(JSON.parse(message));
    return hello.success ? hello.data.token : null;
  } catch {
    return null;
  }
}
