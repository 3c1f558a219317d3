import { errorAnswerSchema, type RouteAuth, type RouteContract } from '@assay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { Caller, Person } from '../auth/caller.ts';
import { onBehalfOf } from '../database/fair-pool.ts';
import { AppError } from '../errors/index.ts';
import type { AccountId } from '../ids.ts';
import { callerNetwork } from './caller-network.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call. A route without it is refused when it is registered. */
    auth?: RouteAuth;
    /** Pages that are limited more than files of the web app. */
    pageKind?: 'documentation' | 'search';
    /** The call of the contract that this route answers. */
    contract?: RouteContract;
    /** Senders of events call it for many customers from a few addresses, which may call more often. */
    isForSenders?: boolean;
    /** People open this address in a browser, from a mail or a message: refusals are pages for them. */
    isOpenedByPeople?: boolean;
  }
  interface FastifyRequest {
    /** Set by the authentication hook, before the body is read. */
    caller: Caller | null;
    /** Why the call was refused. */
    refusal: AppError | null;
    /** The API key of the call, also if the call is refused to it. */
    callingKey: { readonly ownerId: AccountId; readonly keyId: string } | null;
  }
}

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

type CallerOf<Auth extends RouteAuth> = Auth extends 'public'
  ? null
  : Auth extends 'user_or_key'
    ? Caller
    : Person;

/** What a handler is given: already authenticated, already valid. */
interface Call<Route extends RouteContract> {
  readonly caller: CallerOf<Route['auth']>;
  readonly params: Parsed<Route['params']>;
  readonly query: Parsed<Route['query']>;
  /** Undefined for an upload, which the handler reads from `request` as a stream. */
  readonly body: Route['multipart'] extends true ? undefined : Parsed<Route['body']>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Handler<Route extends RouteContract> = (
  call: Call<Route>,
) => Promise<z.output<Route['success']['schema']>>;

/** A handler whose contract has other statuses sets the one that applies on `reply`. */
function responsesOf({ success }: RouteContract) {
  const others = Object.entries(success.otherStatuses ?? {}).map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: success.schema } } },
  ]);
  return { [success.status]: success.schema, ...Object.fromEntries(others) };
}

/** Answers one call of the contract. `app` is the instance below the API base. */
export function registerRoute<const Route extends RouteContract>(
  app: FastifyInstance,
  route: Route,
  handler: Handler<Route>,
): void {
  app.route({
    method: route.method,
    url: route.path,
    ...(route.bodyBytesMax && { bodyLimit: route.bodyBytesMax }),
    config: { auth: route.auth, contract: route },
    schema: {
      tags: [route.tag],
      summary: route.summary,
      ...(route.params && { params: route.params }),
      ...(route.query && { querystring: route.query }),
      ...(route.body && !route.multipart && { body: route.body }),
      response: {
        ...responsesOf(route),
        '4xx': errorAnswerSchema,
        '5xx': errorAnswerSchema,
      },
    },
    handler: async (request, reply) => {
      // The hook has refused strangers long before; this holds even if a route is ever mounted without the hook.
      if (route.auth !== 'public' && !request.caller) throw new AppError('unauthorized');
      const call: Call<Route> = {
        caller: request.caller as Call<Route>['caller'],
        params: request.params as Call<Route>['params'],
        query: request.query as Call<Route>['query'],
        body: request.body as Call<Route>['body'],
        request,
        reply,
      };
      reply.code(route.success.status);
      const answer = await onBehalfOf(request.caller?.accountId ?? callerNetwork(request.ip), () =>
        handler(call),
      );
      return route.success.status === 204 ? reply.send() : answer;
    },
  });
}
