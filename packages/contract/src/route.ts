import type * as z from 'zod/mini';
import type { AccountRole } from './names/account-roles.ts';
import type { KeyScope } from './names/key-scopes.ts';

/** Path prefix of the API, below the public origin. */
export const API_BASE = '/api';

/** What operators may do, each role more than the one before: `support` reads and restarts, `admin` does everything. */
export const OPERATOR_ROLES = ['support', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/**
 * Who may call: `public` needs nothing, `user` a signed-in person's bearer token, `user_or_key` that or a customer's
 * own API key. Calls of operators name the least role; for everyone who is no operator they do not exist.
 */
export type RouteAuth = 'public' | 'user' | 'user_or_key' | OperatorRole;

export const isOperatorRole = (word: unknown): word is OperatorRole =>
  (OPERATOR_ROLES as readonly unknown[]).includes(word);

export const includesRole = (role: OperatorRole, least: OperatorRole): boolean =>
  OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(least);

type SuccessStatus = 200 | 201 | 202 | 204;

/** Who may call. Calls of customers name the least role in the account, so that none is open by mistake; `any` is open to all of them. */
type Access =
  | { readonly auth: 'public' | OperatorRole; readonly leastRole?: undefined }
  | { readonly auth: 'user' | 'user_or_key'; readonly leastRole: AccountRole | 'any' };

/** One call of the API. The server validates with it; the client and the reference are generated from it. */
export type RouteContract = Access & RouteDescription;

interface RouteDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API base, with `:name` for parameters. */
  readonly path: `/${string}`;
  /**
   * What a scoped API key needs for this call; `any` is open to all of them. A call without it refuses scoped keys, so a new
   * call is closed to them until somebody decides.
   */
  readonly keyScope?: KeyScope | 'any';
  /** A key without `keyScope` but with this scope may make the call about work that it started itself. The handler checks that. */
  readonly ownWorkScope?: KeyScope;
  readonly tag: string;
  readonly summary: string;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** Largest JSON body, if it differs from other calls. */
  readonly bodyBytesMax?: number;
  /** The body is a file upload, read as a stream by the route itself, which checks its parts with `body`. */
  readonly multipart?: boolean;
  /** The body is form-encoded instead of JSON. */
  readonly isForm?: boolean;
  /** Exists only for customers with a flag, so the public reference does not list it. */
  readonly isBehindFlag?: boolean;
  /** Calls with the same `Idempotency-Key` have an effect only once. */
  readonly takesIdempotencyKey?: boolean;
  /** Starts work without costing more credits. Accounts that are held for review are refused, as for calls that cost credits. */
  readonly startsWork?: boolean;
  /** Not a GET, but open to suspended accounts: exports, asking for a call and signing out. */
  readonly isOpenWhenSuspended?: boolean;
  /** Repeating this POST or PATCH has no further effect, without a key. */
  readonly isRepeatable?: boolean;
  readonly success: {
    readonly status: SuccessStatus;
    readonly schema: z.ZodMiniType;
    /** Other statuses of an answer of this shape, each with its meaning. */
    readonly otherStatuses?: { readonly [status in SuccessStatus]?: string };
  };
}

/** What the client reads of a call. The web app is built with these fields only, because schemas take long to construct. */
export const SENT_FIELDS = [
  'method',
  'path',
  'auth',
  'multipart',
  'isForm',
  'takesIdempotencyKey',
  'isRepeatable',
] as const satisfies readonly (keyof RouteContract)[];
export type SentRoute = Pick<RouteContract, (typeof SENT_FIELDS)[number]>;

/* @__NO_SIDE_EFFECTS__ */
export const defineRoute = <const Route extends RouteContract>(route: Route): Route => route;

/** Input and output types of a call, derived from the contract. */
export type RouteQuery<Route extends RouteContract> = Input<Route['query']>;
export type RouteBody<Route extends RouteContract> = Input<Route['body']>;
export type RouteAnswer<Route extends RouteContract> = z.output<Route['success']['schema']>;

type Input<Schema> = Schema extends z.ZodMiniType ? z.input<Schema> : undefined;
