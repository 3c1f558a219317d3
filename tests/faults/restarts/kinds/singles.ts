import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SingleValidationDetail } from '@assay/contract';
import { collectFaults, isOfLateWorld } from '../../checks.ts';
import { verdictFor } from '../../list-file.ts';
import type { Kind } from '../stage.ts';

const callerCount = 2;
/** Of one program at the same time: they share transactions. */
const checksTogether = 4;
const turnsMin = 1;
/** A customer has credits for a thousand checks. */
const turnsMax = 120;
/** Two programs would otherwise keep the machine busy. */
const pauseMs = 500;
/** Longer than processes take to start again. */
const waitSeconds = 20;
const places = [
  'staff@prompt-0',
  'former@prompt-1',
  'staff@plodding-0',
  'staff@open-0',
  'staff@greylisting-0',
];

/** Programs that check a few addresses at once and wait for their verdicts, again and again, as long as processes end. */
export const singles: Kind = {
  name: 'single checks that wait',
  begin: async (stage) => {
    const { product, deadline, insist } = stage;
    const customer = await stage.signUp();
    const { startSingle, getSingle } = customer.client.validations;
    const answers: SingleValidationDetail[] = [];

    const check = async (email_address: string) => {
      const idempotencyKey = randomUUID();
      const body = { email_address };
      const query = { wait: waitSeconds };
      const { id } = await insist(() => startSingle({ body, query, idempotencyKey }));
      return deadline.until('a single check is complete', async () => {
        const single = await getSingle({ params: { validation_id: id } });
        return single.status === 'COMPLETE' && single;
      });
    };
    let startedCount = 0;
    const checkNext = async () => {
      startedCount += 1;
      const [name, domain] = (places[startedCount % places.length] ?? '').split('@');
      answers.push(await check(`${name}.${startedCount}@${domain}.test`));
    };
    const callInTurns = async () => {
      for (let turn = 0; turn < turnsMin || (stage.isUneasy && turn < turnsMax); turn += 1) {
        await Promise.all(Array.from({ length: checksTogether }, checkNext));
        await pause(pauseMs);
      }
    };
    return {
      work: async () => {
        await Promise.all(Array.from({ length: callerCount }, callInTurns));
      },
      check: async () => {
        const { faults, demand } = collectFaults();
        const [kept] = await product.ask<{ count: number }>(
          'select count(*)::int as count from single_validations where owner_id = $1',
          [customer.id],
        );
        demand('checks', kept?.count, answers.length);
        for (const { email_address, email_address_status: verdict, reason } of answers) {
          if (isOfLateWorld(product, reason?.code)) continue;
          demand(`the verdict of ${email_address}`, verdict, verdictFor(email_address));
        }
        const charged = answers.filter((answer) => answer.email_address_status !== 'UNKNOWN').length;
        const { balance } = await customer.client.billing.getWallet();
        demand('balance', balance, 1_000 - charged);
        stage.note(`${answers.length} of them`);
        return faults;
      },
    };
  },
};
