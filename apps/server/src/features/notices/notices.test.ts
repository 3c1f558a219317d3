import { randomUUID } from 'node:crypto';
import type { User, ValidationList } from '@assay/contract';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../platform/errors/index.ts';
import { startTestApi } from '../../testing/api.ts';
import { emailLists } from '../verification/lists/email-lists.ts';
import { finishList } from '../verification/lists/finish-list.ts';
import { collectEndedLists, noticesHandlers } from './notices.handlers.ts';
import { startMailPost } from './testing/mail-post.ts';

const post = await startMailPost();
const { api, mailbox, parts, signal, mailsTo } = post;
afterAll(() => post.close());

/** A customer with complete lists. */
async function withLists(
  claims: { email: string; email_verified?: boolean },
  names: readonly string[] = ['one', 'two'],
) {
  const token = await api.tokenFor(claims);
  const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json<User>();
  for (const name of names) {
    const body = { name, emails: ['jane@exists.test'] };
    const { id } = (await api.call('POST', '/validations/lists', { token, body })).json<ValidationList>();
    await finishList({ ...parts, queue: api.queue }, { ownerId, listId: id }, signal);
  }
  return token;
}

/** Collects and sends, as the worker does. */
const sendMails = () => post.sendMails(collectEndedLists);

const textOf = (mail: string): string => mail.slice(mail.indexOf('\r\n\r\n'));

describe('mails about complete lists', () => {
  it('one mail for all lists that completed, once; its link turns them off with one click', async () => {
    const email = 'ada@customer.test';
    const token = await withLists({ email });
    await sendMails();
    await sendMails();

    const mails = mailsTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('Subject: 2 lists are complete');
    expect(mails[0]).toContain('multipart/alternative');
    expect(mails[0]).toContain('Unknown: 1\r\nCredits charged: 0');
    expect(mails[0]).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const link = /https:\/\/assay\.test\/api(\S*unsubscribe\S*)/.exec(textOf(mails[0] ?? ''))?.[1] ?? '';

    // Mail scanners open links.
    const { body: page } = await api.call('GET', link);
    expect(page).toContain('Stop these mails');
    const styles = /rel="stylesheet" href="([^"]+)"/.exec(page)?.[1] ?? '';
    expect((await api.app.inject({ url: styles })).headers['content-type']).toContain('text/css');
    expect((await api.call('GET', '/users/me', { token })).json()).toMatchObject({ list_mails: true });

    const click = await api.app.inject({
      method: 'POST',
      url: `/api${link}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(click.statusCode).toBe(200);
    expect((await api.call('GET', '/users/me', { token })).json()).toMatchObject({ list_mails: false });
    const again = await api.call('PATCH', '/users/me', { token, body: { list_mails: true } });
    expect(again.json()).toMatchObject({ list_mails: true });
    const activity = await api.call('GET', '/users/me/activity?area=setting', { token });
    expect(activity.json().results).toMatchObject([
      { kind: 'setting.mails', about: 'Mails about complete lists on', by: 'customer' },
      { about: 'Mails about complete lists off', by: 'customer', address: '127.0.0.1' },
    ]);

    const forged = await api.call(
      'POST',
      link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    );
    expect(forged.statusCode).toBe(404);
  });

  it('counts all lists, also those behind 20 of the sandbox', async () => {
    const email = 'many@customer.test';
    const names = Array.from({ length: 23 }, (_, at) => `list ${at + 1}`);
    await withLists({ email }, names);
    await sql`update lists set is_sandbox = true where name = any(${names.slice(0, 20)}::text[])`.execute(
      parts.db,
    );

    await sendMails();

    const mails = mailsTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('Subject: 3 lists are complete');
  });

  it('tells of a list that failed, once', async () => {
    const email = 'failed@customer.test';
    const token = await api.tokenFor({ email });
    const { id: ownerId } = (await api.call('GET', '/users/me', { token })).json<User>();
    const body = { name: 'broken', emails: ['jane@exists.test'] };
    const { id: listId } = (
      await api.call('POST', '/validations/lists', { token, body })
    ).json<ValidationList>();
    await sql`update lists set status = 'PREPARING' where id = ${listId}`.execute(parts.db);
    const problem = new AppError('list_file_gone');
    await emailLists.results.fail(parts, { ownerId, listId, run: 0 }, problem, async () => undefined);
    await sendMails();
    await sendMails();

    const mails = mailsTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('Subject: Your list broken failed');
    expect(mails[0]).toContain('Failed: The file of this list is no longer there. Send the file again.');
    expect(mails[0]).toContain('Credits charged: 0');
  });

  it.each([
    [{ code: 550, text: '5.1.1 User unknown' }, 'ends the job if the mailbox is gone', undefined],
    [
      { code: 550, text: '5.7.1 Relaying denied' },
      'fails if the relay takes no mails',
      /refused the mail with 550/,
    ],
    [
      { code: 450, text: '4.2.1 Try later' },
      'fails if the mailbox may take it later',
      /refused the mail with 450/,
    ],
  ])('a refusal with %j %s', async (reply, _what, problem) => {
    await withLists({ email: `${randomUUID()}@customer.test` });
    mailbox.refuse(reply);
    onTestFinished(() => mailbox.accept());

    const sending = sendMails();

    await (problem ? expect(sending).rejects.toThrow(problem) : expect(sending).resolves.toBeUndefined());
  });

  it('no mail to an address that is not verified, or to a customer who turned them off', async () => {
    await withLists({ email: 'typed@customer.test', email_verified: false });
    const token = await withLists({ email: 'quiet@customer.test' });
    await api.call('PATCH', '/users/me', { token, body: { list_mails: false } });

    await sendMails();

    const recipients = mailbox.mails.flatMap(({ to }) => to);
    expect(recipients).not.toContain('typed@customer.test');
    expect(recipients).not.toContain('quiet@customer.test');
  });

  it('without a relay there are no jobs that mail, and users/me does not mention mails', async () => {
    const quiet = await startTestApi({ beside: api });
    const token = await quiet.tokenFor();

    expect((await quiet.call('GET', '/users/me', { token })).json()).not.toHaveProperty('list_mails');
    expect((await quiet.call('GET', '/users/me', { token })).json()).not.toHaveProperty('balance_mails');
    const handlers = noticesHandlers({ ...parts, queue: quiet.queue, mail: quiet.config.mail });
    expect(handlers.map(({ job }) => job.name)).toEqual([
      'notices.watch-balance',
      'notices.watch-balances',
      'notices.watch-activity',
      'notices.watch-activities',
    ]);
    await quiet.close();
  });
});
