import type * as z from 'zod/mini';

/** Where the API begins, below the public origin. */
export const API_BASE = '/api';

/**
 * Who may call: `public` needs nothing, `user` a signed-in person's bearer token, `user_or_key` that or a customer's
 * own API key.
 */
export type RouteAuth = 'public' | 'user' | 'user_or_key';

type SuccessStatus = 200 | 201 | 202 | 204;

/** One call of the API: the server validates with it, the client and the reference are made from it. */
export interface RouteContract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API base, with `:name` for parameters. */
  readonly path: `/${string}`;
  readonly auth: RouteAuth;
  readonly tag: string;
  readonly summary: string;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** Largest JSON body, where it is not that of other calls. */
  readonly bodyBytesMax?: number;
  /** The body is a file upload, read as a stream by the route itself, which checks its parts with `body`. */
  readonly multipart?: boolean;
  /** The body travels form-encoded instead of as JSON. */
  readonly isForm?: boolean;
  /** Exists only for customers with a flag, so that the public reference does not list it. */
  readonly isBehindFlag?: boolean;
  /** Repeating the call with the same `Idempotency-Key` has the effect of making it once. */
  readonly takesIdempotencyKey?: boolean;
  /** Repeating a POST or PATCH has the effect of making it once, without a key. */
  readonly isRepeatable?: boolean;
  readonly success: {
    readonly status: SuccessStatus;
    readonly schema: z.ZodMiniType;
    /** Other statuses of an answer of this shape, each with what it tells. */
    readonly otherStatuses?: { readonly [status in SuccessStatus]?: string };
  };
}

export const defineRoute = <const Route extends RouteContract>(route: Route): Route => route;

/** What a caller hands in and gets back, read off the contract. */
export type RouteParams<Route extends RouteContract> = Input<Route['params']>;
export type RouteQuery<Route extends RouteContract> = Input<Route['query']>;
export type RouteBody<Route extends RouteContract> = Input<Route['body']>;
export type RouteAnswer<Route extends RouteContract> = z.output<Route['success']['schema']>;

type Input<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : undefined;
