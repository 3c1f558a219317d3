import { outcomeMailboxesRoutes } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { clientSignal, registerRoute } from '../../../platform/http/index.ts';
import {
  changePassword,
  connectMailbox,
  listMailboxes,
  type MailboxParts,
  removeMailbox,
} from './mailboxes.service.ts';

export function registerMailboxRoutes(app: FastifyInstance, parts: MailboxParts): void {
  registerRoute(app, outcomeMailboxesRoutes.listMailboxes, async ({ caller }) => ({
    results: await listMailboxes(parts, caller.accountId),
  }));
  registerRoute(app, outcomeMailboxesRoutes.connectMailbox, ({ caller, body, reply }) => {
    const { host, user_name: userName, password, folder } = body;
    return connectMailbox(parts, caller, { host, userName, password, folder }, clientSignal(reply));
  });
  registerRoute(app, outcomeMailboxesRoutes.updateMailbox, ({ caller, params: { id }, body, reply }) =>
    changePassword(parts, caller, { id, password: body.password }, clientSignal(reply)),
  );
  registerRoute(app, outcomeMailboxesRoutes.deleteMailbox, async ({ caller, params }) => {
    await removeMailbox(parts, caller, params.id);
    return null;
  });
}
