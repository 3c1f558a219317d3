import type Provider from 'oidc-provider';
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { Installation } from './installation.ts';
import { objectionToPassword } from './password-policy.ts';
import { hashPassword, verifyNothing, verifyPassword } from './passwords.ts';
import { findSessionsOf, type SessionUse } from './session-uses.ts';
import {
  type Account,
  type AccountChanges,
  deleteAccount,
  findAccountByEmail,
  findAccountById,
  setPassword,
  updateAccount,
} from './store/accounts.store.ts';
import { endSession, endSessionsOf } from './store/records.adapter.ts';
import {
  deleteAuthenticator,
  deletePasskey,
  deleteRecoveryCodes,
  findSecondFactors,
  type SecondFactors,
} from './store/second-factors.store.ts';
import { type Context, type Next, readBody } from './web.ts';

const adminRealm = 'assay';
const tokenPath = `/realms/${adminRealm}/protocol/openid-connect/token`;
const adminPath = `/admin/realms/${adminRealm}/`;
/** Behind the admin path: a user's id, what to do with it, and sometimes one more part. */
const userPath = /^users\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/;
const sessionPath = /^sessions\/([^/]+)$/;
const passwordCheckSeconds = 60;

/** An answer in Keycloak's manner: a status and, sometimes, a body. */
type Answer = { status: number; body?: unknown };

const notFound: Answer = { status: 404, body: { error: 'User not found' } };
const done: Answer = { status: 204 };

/**
 * The part of Keycloak's admin REST that the product uses, so that one adapter serves a real Keycloak and this
 * provider: look at a user, change or delete one, set a password, require a new one, end sessions.
 */
export function adminRoutes(provider: Provider, installation: Installation) {
  return async (ctx: Context, next: Next): Promise<unknown> => {
    if (ctx.path === tokenPath) {
      // The token endpoint itself is the library's, under its own name.
      ctx.url = '/token';
      return next();
    }
    const path = ctx.path.startsWith(adminPath) ? ctx.path.slice(adminPath.length) : '';
    const user = userPath.exec(path);
    const session = sessionPath.exec(path);
    if (!user && !session) return next();
    const { status, body } = !(await isAdmin(provider, installation, ctx))
      ? { status: 401, body: { error: 'HTTP 401 Unauthorized' } }
      : user
        ? await answerFor(installation, ctx, decodeURIComponent(user[1] ?? ''), {
            action: user[2],
            part: user[3],
          })
        : await answerForSession(installation, ctx, decodeURIComponent(session?.[1] ?? ''));
    ctx.set('cache-control', 'no-store');
    ctx.body = body ?? null;
    ctx.status = status;
    return undefined;
  };
}

async function isAdmin(provider: Provider, { options }: Installation, ctx: Context): Promise<boolean> {
  const token = /^Bearer (\S+)$/i.exec(ctx.get('authorization'))?.[1];
  const found = token ? await provider.ClientCredentials.find(token) : undefined;
  return found?.isValid === true && found.clientId === options.admin?.clientId;
}

async function answerForSession(
  { database }: Installation,
  ctx: Context,
  sessionUid: string,
): Promise<Answer> {
  if (ctx.method !== 'DELETE') return { status: 405, body: { error: 'HTTP 405 Method Not Allowed' } };
  const isFound = await endSession(database, sessionUid);
  return isFound ? done : { status: 404, body: { error: 'Session not found' } };
}

async function answerFor(
  installation: Installation,
  ctx: Context,
  userId: string,
  { action, part }: { action: string | undefined; part: string | undefined },
): Promise<Answer> {
  const { database } = installation;
  const account = await findAccountById(database, userId);
  if (!account) return notFound;
  switch (`${ctx.method} ${action ?? ''}`.trim()) {
    case 'GET':
      return { status: 200, body: representationOf(account, installation) };
    case 'PUT':
      return changeUser(installation, account, await readJson(ctx));
    case 'DELETE':
      await deleteAccount(database, account.id);
      await endSessionsOf(database, account.id);
      return done;
    case 'PUT reset-password':
      return resetPassword(installation, account, await readJson(ctx));
    case 'POST logout':
      await endSessionsOf(database, account.id);
      return done;
    case 'GET sessions':
      return {
        status: 200,
        body: (await findSessionsOf(database, account.id, installation.now())).map(sessionOf),
      };
    case 'GET credentials':
      return { status: 200, body: credentialsOf(await findSecondFactors(database, account.id)) };
    case 'DELETE credentials':
      await deleteCredential(installation, account.id, decodeURIComponent(part ?? ''));
      return done;
    case 'DELETE consents':
      // There are no offline tokens here: every refresh token ends with its session.
      return { status: 404, body: { error: 'Consent nor offline token not found' } };
    default:
      return { status: 405, body: { error: 'HTTP 405 Method Not Allowed' } };
  }
}

/** Keycloak's words, and `userAgent`, which it does not tell. */
function sessionOf({ id, signedInAt, usedBy, usedFrom, usedAt }: SessionUse) {
  return {
    id,
    start: signedInAt.getTime(),
    lastAccess: usedAt.getTime(),
    ipAddress: usedFrom,
    userAgent: usedBy,
  };
}

const authenticatorId = 'authenticator';
const recoveryCodesId = 'recovery-codes';

function credentialsOf({ authenticatorSince, passkeys, recoveryCodeCount }: SecondFactors) {
  return [
    ...(authenticatorSince
      ? [{ id: authenticatorId, type: 'otp', createdDate: authenticatorSince.getTime() }]
      : []),
    ...passkeys.map(({ id, name, createdAt }) => ({
      id,
      type: 'webauthn',
      userLabel: name,
      createdDate: createdAt.getTime(),
    })),
    ...(recoveryCodeCount > 0 ? [{ id: recoveryCodesId, type: 'recovery-authn-codes' }] : []),
  ];
}

/** The product tells the person, because only it knows who asked for it and why. */
async function deleteCredential({ database }: Installation, accountId: string, id: string): Promise<void> {
  if (id === authenticatorId) await deleteAuthenticator(database, accountId);
  else if (id === recoveryCodesId) await deleteRecoveryCodes(database, accountId);
  else await deletePasskey(database, accountId, id);
}

function representationOf(account: Account, { trustsAddresses }: Installation) {
  return {
    id: account.id,
    username: account.email.toLowerCase(),
    email: account.email,
    emailVerified: account.emailProved || trustsAddresses,
    firstName: account.firstName,
    lastName: account.lastName,
    enabled: true,
    createdTimestamp: account.createdAt.getTime(),
    requiredActions: account.mustChangePassword ? ['UPDATE_PASSWORD'] : [],
    attributes: account.phone ? { phoneNumber: [account.phone] } : {},
    federatedIdentities:
      account.identity === 'google'
        ? [{ identityProvider: 'google', userId: account.id, userName: account.email }]
        : [],
  };
}

/** As in Keycloak, what the body does not mention stays as it is. */
async function changeUser(
  { database }: Installation,
  account: Account,
  body: Record<string, unknown> | undefined,
): Promise<Answer> {
  if (!body) return badRequest('unable to read contents from stream');
  const changes: AccountChanges = {};
  if (typeof body.firstName === 'string') changes.firstName = body.firstName;
  if (typeof body.lastName === 'string') changes.lastName = body.lastName;
  const phone = (body.attributes as { phoneNumber?: unknown[] } | undefined)?.phoneNumber;
  if (Array.isArray(phone)) changes.phone = typeof phone[0] === 'string' ? phone[0] : null;
  if (Array.isArray(body.requiredActions)) {
    const unknown = body.requiredActions.find((action) => action !== 'UPDATE_PASSWORD');
    if (unknown !== undefined) return badRequest(`Unsupported required action: ${String(unknown)}`);
    if (account.identity !== 'email' && body.requiredActions.length > 0)
      return badRequest('User has no password');
    changes.mustChangePassword = body.requiredActions.length > 0;
  }
  await updateAccount(database, account.id, changes);
  return done;
}

async function resetPassword(
  { database, options }: Installation,
  account: Account,
  body: Record<string, unknown> | undefined,
): Promise<Answer> {
  if (body?.type !== 'password' || typeof body.value !== 'string') return badRequest('No password provided');
  if (account.identity !== 'email') return badRequest('User has no password');
  const objection = objectionToPassword(body.value, account);
  if (objection)
    return { status: 400, body: { error: 'invalidPasswordMessage', error_description: objection } };
  const passwordHash = await hashPassword(body.value, options.passwordCost);
  await setPassword(database, account.id, { passwordHash, mustChange: body.temporary === true });
  return done;
}

/**
 * The direct grant: whether a password is this person's, asked by the admin client only. It has a limit of its own, which
 * strangers at the sign-in page cannot use up. As in Keycloak, the answer is the same for a paused account and for a wrong
 * password.
 */
export function registerPasswordGrant(provider: Provider, installation: Installation): void {
  const { attempts, database, limits, options } = installation;

  async function answer(ctx: KoaContextWithOIDC): Promise<void> {
    const { username, password } = ctx.oidc.params ?? {};
    if (typeof username !== 'string' || typeof password !== 'string') {
      throw new errors.InvalidRequest('missing required parameter(s)');
    }
    const account = await findAccountByEmail(database, username);
    const admission = await attempts.take(limits.passwordCheckPerAccount, username);
    const isRight =
      account?.passwordHash && admission.isAdmitted
        ? await verifyPassword(password, account.passwordHash)
        : await verifyNothing(password, options.passwordCost);
    if (!account || !isRight) throw refusal(401, 'Invalid user credentials');
    await attempts.forget(limits.passwordCheckPerAccount, username);
    if (account.mustChangePassword) throw refusal(400, 'Account is not fully set up');

    const { client } = ctx.oidc;
    if (!client) throw new errors.InvalidClient();
    const token = new provider.AccessToken({
      accountId: account.id,
      client,
      grantId: '',
      gty: 'password',
      expiresIn: passwordCheckSeconds,
    });
    ctx.body = { access_token: await token.save(), expires_in: passwordCheckSeconds, token_type: 'Bearer' };
  }
  provider.registerGrantType('password', answer, ['username', 'password', 'scope']);
}

function refusal(status: number, description: string): Error {
  return Object.assign(new errors.CustomOIDCProviderError('invalid_grant', description), {
    status,
    statusCode: status,
  });
}

function badRequest(message: string): Answer {
  return { status: 400, body: { error: message } };
}

async function readJson(ctx: Context): Promise<Record<string, unknown> | undefined> {
  try {
    const value: unknown = JSON.parse(await readBody(ctx.req));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
