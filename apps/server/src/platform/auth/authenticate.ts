import {
  includesRole,
  isOperatorRole,
  isRoleEnough,
  KEY_PREFIXES,
  type KeyScope,
  type OperatorRole,
  type RouteContract,
} from '@assay/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/index.ts';
import type { VerifyBearer } from './bearer.ts';
import type { Caller, CallSource, Person } from './caller.ts';
import type { Subject } from './subject.ts';

/** How callers prove who they are. The callbacks belong to features, which the platform does not know. */
export interface Authentication {
  readonly verifyBearer: VerifyBearer;
  /** The web app's public key. It names the client and opens nothing. */
  readonly clientKey: string;
  /** The person of a verified subject, made at the first call. */
  resolveSubject(subject: Subject): Promise<Person>;
  /** Called for every call by token, before its handler. Must be quick when it has seen the session before. */
  onSignedIn(person: Person): Promise<void>;
  /** Whether a text has the form of an API key. Decides without a query, so other texts cost nothing. */
  isApiKey(text: string): boolean;
  /** The caller of an API key, or null when there is no such key. Throws when the key is not valid now or not from there. */
  resolveApiKey(key: string, networkAddress: string): Promise<Caller | null>;
  /** What a person may do as an operator; null for everyone else. Asked for calls of operators only. */
  operatorRoleOf(person: Person): Promise<OperatorRole | null>;
  /** Called for every unknown key before its refusal. Throws when one network address has tried too many. */
  onUnknownApiKey(networkAddress: string): Promise<void>;
}

/**
 * Finds out who calls before anything of the request's body is read. Routes say who may.
 * See docs/decisions/api-authentication.md.
 */
export function authenticateRequests(app: FastifyInstance, authentication: Authentication): void {
  app.addHook('onRequest', async (request) => {
    const rule = request.routeOptions.config.auth;
    if (!rule || rule === 'public') return;
    const known = isOperatorRole(rule)
      ? await authenticateOperator(request, rule, authentication)
      : await authenticate(request, rule, authentication);
    const caller = { ...known, source: sourceOf(request) };
    requireRole(caller, request.routeOptions.config.contract);
    requireStanding(caller, request.routeOptions.config.contract);
    if (isPerson(caller)) await authentication.onSignedIn(caller);
    request.caller = caller;
  });
}

const isPerson = (caller: Caller): caller is Person => caller.userId !== undefined;

/** Proxies send what they like as an address. */
const addressLengthMax = 64;
const agentLengthMax = 300;

export const sourceOf = ({ ip, headers }: FastifyRequest): CallSource => ({
  address: ip.slice(0, addressLengthMax),
  agent: headers['user-agent']?.slice(0, agentLengthMax) ?? null,
});

async function authenticate(
  request: FastifyRequest,
  rule: 'user' | 'user_or_key',
  authentication: Authentication,
): Promise<Caller> {
  const { authorization } = request.headers;
  const bearer = authorization === undefined ? undefined : bearerOf(authorization);
  // The authorization alone decides: a key beside it only names the client program.
  if (bearer !== undefined && !hasKeyPrefix(bearer)) return authenticateBearer(bearer, authentication);
  const apiKey = bearer ?? request.headers['x-api-key'];
  if (typeof apiKey !== 'string' || apiKey === authentication.clientKey) throw new AppError('unauthorized');

  if (!authentication.isApiKey(apiKey)) throw new AppError('unknown_api_key');
  const caller = await callerOfKey(authentication, apiKey, request.ip);
  if (!caller) throw new AppError('unknown_api_key');
  const { accountId, key } = caller;
  if (key) request.callingKey = { ownerId: accountId, keyId: key.id };
  if (rule === 'user') throw new AppError('api_key_not_accepted', { accountId });
  return withinScopes(caller, request.routeOptions.config.contract ?? {});
}

/** Null when there is no such key. Throws as `resolveApiKey` and `onUnknownApiKey` do. */
export async function callerOfKey(
  { resolveApiKey, onUnknownApiKey }: Pick<Authentication, 'resolveApiKey' | 'onUnknownApiKey'>,
  key: string,
  networkAddress: string,
): Promise<Caller | null> {
  const caller = await resolveApiKey(key, networkAddress);
  if (!caller) await onUnknownApiKey(networkAddress);
  return caller;
}

const keyPrefixes = Object.values(KEY_PREFIXES);
/** Text that is meant as an API key and never as a token of the issuer. */
const hasKeyPrefix = (text: string): boolean => keyPrefixes.some((prefix) => text.startsWith(prefix));

/** A key without a grant has all scopes. A call that declares no scope is closed to the others. */
function withinScopes(
  caller: Caller,
  { keyScope, ownWorkScope }: Pick<RouteContract, 'keyScope' | 'ownWorkScope'>,
): Caller {
  const { accountId, key } = caller;
  if (!key?.grant || keyScope === 'any') return caller;
  if (keyScope === undefined) throw new AppError('api_key_not_accepted', { accountId });
  const { scopes } = key.grant;
  if (scopes.includes(keyScope)) return caller;
  const mayReadOwnOnly = ownWorkScope !== undefined && scopes.includes(ownWorkScope);
  if (mayReadOwnOnly) return { ...caller, key: { ...key, grant: { ...key.grant, mayReadOwnOnly } } };
  throw missingScope(caller, keyScope);
}

export const missingScope = ({ accountId, key }: Caller, scope: KeyScope): AppError =>
  new AppError(`missing_scope_${scope}`, { accountId, keyId: key?.id }, { meta: { scope } });

/** For everyone who is not an operator the call does not exist: they get the answer of an unknown address. */
async function authenticateOperator(
  { headers: { authorization } }: FastifyRequest,
  leastRole: OperatorRole,
  authentication: Authentication,
): Promise<Person> {
  const hidden = () => new AppError('route_not_found');
  if (authorization === undefined) throw hidden();
  const person = await authenticateBearer(bearerOf(authorization, hidden), authentication).catch((error) => {
    throw error instanceof AppError && error.status === 401 ? hidden() : error;
  });
  const role = person.standing === 'suspended' ? null : await authentication.operatorRoleOf(person);
  if (role === null) throw hidden();
  if (!includesRole(role, leastRole)) throw new AppError('operator_role', { userId: person.userId });
  return { ...person, operatorRole: role };
}

/** Calls of operators name no role in an account. */
function requireRole({ accountId, role }: Caller, contract: RouteContract | undefined): void {
  if (contract?.leastRole === undefined || isRoleEnough(role, contract.leastRole)) return;
  throw new AppError('account_role', { accountId }, { meta: { role, least_role: contract.leastRole } });
}

/** Reading stays open to every account. */
function requireStanding({ accountId, standing }: Caller, contract: RouteContract | undefined): void {
  if (!contract || contract.method === 'GET') return;
  if (standing === 'suspended' && !contract.isOpenWhenSuspended)
    throw new AppError('account_suspended', { accountId });
  const startsWork = contract.startsWork || contract.takesIdempotencyKey;
  if (standing === 'held' && startsWork) throw new AppError('account_held', { accountId });
}

function bearerOf(authorization: string, refusal = () => new AppError('unauthorized')): string {
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1];
  if (!token) throw refusal();
  return token;
}

async function authenticateBearer(token: string, authentication: Authentication): Promise<Person> {
  const { subject } = await authentication.verifyBearer(token);
  return { ...(await authentication.resolveSubject(subject)), subject };
}
