import { type MailboxProvider, warmUpRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { registerRoute } from '../../platform/http/index.ts';
import { type ConnectParts, finishAuthorization, startAuthorization } from './connect-mailbox.ts';
import { credentialAnswer } from './credential-answer.ts';
import { type RemovalParts, removeChosenMailboxes, removeMailbox } from './remove-mailbox.ts';
import { listCredentialsOf } from './warmup.store.ts';

const providerOf = { google: 'GOOGLE', microsoft: 'MICROSOFT' } as const satisfies Record<
  string,
  MailboxProvider
>;
const addressOf = (accountEmail: string): string => accountEmail.toLowerCase();

/** Registered in staging only; elsewhere these paths answer 404. */
export function registerWarmUpRoutes(app: FastifyInstance, parts: ConnectParts & RemovalParts): void {
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    registerRoute(
      scope,
      warmUpRoutes.finishAuthorization,
      ({ caller, params: { provider }, body: { code, state } }) =>
        finishAuthorization(parts, caller, { provider: providerOf[provider], code, state }),
    );
  });
  registerRoute(app, warmUpRoutes.authorize, async ({ caller, params: { provider } }) => ({
    authorizationUrl: await startAuthorization(parts, {
      ownerId: caller.accountId,
      provider: providerOf[provider],
    }),
  }));
  registerRoute(app, warmUpRoutes.listCredentials, async ({ caller }) => {
    const rows = await listCredentialsOf(parts.db, caller.accountId);
    return {
      credentials: rows.map((row) => credentialAnswer(row, parts.gateways[row.provider]?.consentUrl ?? null)),
    };
  });
  registerRoute(app, warmUpRoutes.removeCredential, async ({ caller, query: { accountEmail } }) => {
    await removeMailbox(parts, caller, { address: addressOf(accountEmail) });
    return null;
  });
  registerRoute(
    app,
    warmUpRoutes.removeProviderCredential,
    async ({ caller, params: { provider }, query: { accountEmail } }) => {
      await removeMailbox(parts, caller, {
        address: addressOf(accountEmail),
        provider: providerOf[provider],
      });
      return null;
    },
  );
  registerRoute(app, warmUpRoutes.removeAllCredentials, async ({ caller }) => {
    await removeChosenMailboxes(parts, caller, {});
    return null;
  });
}
