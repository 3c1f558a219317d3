import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { sourceOf } from '../../platform/auth/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/crypto/secrets.ts';
import type { Db } from '../../platform/database/database.ts';
import { openerOf } from '../../platform/ids.ts';
import { readDocsAssets, renderMessagePage } from '../docs/index.ts';
import { type MailKind, updateProfile } from '../users/index.ts';
import { readUnsubscribeLink, unsubscribePath } from './unsubscribe.ts';

interface NoticesRoutesParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

/**
 * The page behind the link in our mails. It is no call of the contract: people open it without a token. Only its POST
 * changes something, because mail scanners follow links; mailboxes send it themselves (RFC 8058).
 */
export function registerNoticesRoutes(app: FastifyInstance, parts: NoticesRoutesParts): void {
  const { paths } = readDocsAssets();
  const pageOf = ({ title, what, when }: (typeof kinds)[MailKind]) => ({
    question: renderMessagePage(
      title,
      `<p>Stop the mails that tell you when ${when}?</p>
<form method="post"><button type="submit">Stop these mails</button></form>`,
      paths,
    ),
    done: renderMessagePage(
      title,
      `<p>You will get no more mails about ${what}. You can turn them on again on your <a href="/account">account page</a>.</p>`,
      paths,
    ),
  });
  const pages = { lists: pageOf(kinds.lists), balance: pageOf(kinds.balance), plan: pageOf(kinds.plan) };
  const options = {
    config: { auth: 'public' as const, isOpenedByPeople: true },
    schema: { querystring: z.strictObject({ order: z.string().check(z.maxLength(1_000)) }), hide: true },
  };
  app.register(async (scope) => {
    // The body says only that it is one click.
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string', bodyLimit: 10_000 },
      (_request, _body, done) => done(null, null),
    );
    scope.get(unsubscribePath, options, async (request, reply) => {
      const { kind } = readUnsubscribeLink(parts, (request.query as { order: string }).order);
      return reply.type('text/html; charset=utf-8').send(pages[kind].question);
    });
    scope.post(unsubscribePath, options, async (request, reply) => {
      const { ownerId, kind } = readUnsubscribeLink(parts, (request.query as { order: string }).order);
      const person = { accountId: ownerId, userId: openerOf(ownerId), source: sourceOf(request) };
      await updateProfile(parts, person, kinds[kind].change);
      return reply.type('text/html; charset=utf-8').send(pages[kind].done);
    });
  });
}

const kinds = {
  lists: {
    title: 'Mails about lists',
    what: 'complete lists',
    when: 'a list is complete',
    change: { list_mails: false },
  },
  balance: {
    title: 'Mails about your balance',
    what: 'your balance',
    when: 'your balance is low or automatic top-up has stopped',
    change: { balance_mails: false },
  },
  plan: {
    title: 'Mails about plan and payments',
    what: 'your plan and your payments',
    when: 'your plan has changed or a payment did not go through',
    change: { plan_mails: false },
  },
} as const satisfies Record<MailKind, object>;
