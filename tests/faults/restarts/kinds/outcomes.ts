import { randomUUID } from 'node:crypto';
import { ServiceUnavailableError } from '@assay/client';
import { collectFaults } from '../../checks.ts';
import { addJob } from '../../jobs.ts';
import type { Kind } from '../stage.ts';

/** More than a round reports: no mailbox has two outcomes. */
const rowCount = 400;
const reportsPerTurnMin = 3;
const hostSaid = '550 5.1.1 User unknown';

/** Bounces that a customer's program and their sender report: each is kept once, matched with its check, and suppresses its mailbox. */
export const outcomes: Kind = {
  name: 'outcomes',
  begin: async (stage) => {
    const { product, deadline, insist } = stage;
    const customer = await stage.signUp();
    const { validations, outcomes, feeds } = customer.client;
    const emails = Array.from({ length: rowCount }, (_, row) => `staff.${row}@prompt-7.test`);
    const { id: list_id } = await validations.createListFromEmails({ body: { emails } });
    const { id: feedId, secret } = await feeds.createFeed({ body: { sender: 'postmark' } });
    await deadline.until('a list to report about is complete', async () => {
      return (await validations.getList({ params: { list_id } })).status === 'COMPLETE';
    });

    const reportByProgram = (email: string) => {
      const outcome = {
        id: email,
        email,
        kind: 'bounce',
        at: new Date().toISOString(),
        detail: hostSaid,
      } as const;
      const idempotencyKey = randomUUID();
      return insist(() => outcomes.report({ body: { outcomes: [outcome] }, idempotencyKey }));
    };
    const reportBySender = (email: string, id: number) => {
      const event = { RecordType: 'Bounce', Type: 'HardBounce', ID: id, Email: email, Details: hostSaid };
      const body = JSON.stringify({ ...event, BouncedAt: new Date().toISOString() });
      return insist(() => postEvent(`${product.apiUrl}/outcomes/feeds/${feedId}`, String(secret), body));
    };
    let reportCount = 0;
    const reportNext = async () => {
      const email = emails[reportCount] ?? '';
      reportCount += 1;
      await (reportCount % 2 === 0 ? reportByProgram(email) : reportBySender(email, reportCount));
    };
    return {
      work: async () => {
        for (
          let count = 0;
          count < reportsPerTurnMin || (stage.isUneasy && reportCount < rowCount);
          count += 1
        ) {
          await reportNext();
        }
      },
      check: async () => {
        await deadline.until('all outcomes are matched', async () => {
          // A schedule does it each minute, and jobs of a dead worker wait for it.
          await addJob(product, 'outcomes.resume-matching');
          const behind = await product.ask(
            'select from outcome_counters where owner_id = $1 and matched_number < last_number',
            [customer.id],
          );
          return behind.length === 0;
        });
        const { faults, demand } = collectFaults();
        const demandAll = async (what: string, key: string, table: string) => {
          const [row] = await product.ask(
            `select count(*)::int as count, count(distinct ${key})::int as different from ${table} where owner_id = $1`,
            [customer.id],
          );
          demand(what, row, { count: reportCount, different: reportCount });
        };
        await demandAll('outcomes', 'email_address', 'outcomes');
        await demandAll('matches', 'row_number', 'outcome_matches');
        await demandAll('suppressed mailboxes', 'target', 'suppressions');
        stage.note(`${reportCount} of them`);
        return faults;
      },
    };
  },
};

/** Posts as Postmark does: it repeats an event until it gets an answer. */
async function postEvent(url: string, secret: string, body: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`assay:${secret}`).toString('base64')}`;
  const headers = { 'content-type': 'application/json', authorization };
  const answer = await fetch(url, { method: 'POST', headers, body }).catch((cause: unknown) => {
    throw new ServiceUnavailableError({ cause });
  });
  if (answer.status === 503) throw new ServiceUnavailableError();
  if (!answer.ok) throw new Error(`a feed answers ${answer.status}: ${await answer.text()}`);
}
