import { randomUUID } from 'node:crypto';
import type { GuessOutcome } from '@assay/contract';
import { collectFaults, isOfLateWorld } from '../../checks.ts';
import type { Kind } from '../stage.ts';

/** People as the hosts of the round's mail world know them. */
const people: readonly { first: string; domain: string; outcome: GuessOutcome }[] = [
  { first: 'staff', domain: 'prompt-0.test', outcome: 'FOUND' },
  { first: 'staff', domain: 'plodding-0.test', outcome: 'FOUND' },
  { first: 'former', domain: 'prompt-1.test', outcome: 'NOT_FOUND' },
  { first: 'anyone', domain: 'open-0.test', outcome: 'CATCH_ALL' },
];
/** Digits do not make a name. */
const surnames = [...'abcdefghij'].map((letter) => `${letter}ton`);

/** Lists of people whose addresses are guessed. */
export const guesses: Kind = {
  name: 'guesses',
  begin: async ({ product, deadline, signUp, insist }) => {
    const customer = await signUp();
    await product.ask('update accounts set guessing_enabled = true where id = $1', [customer.id]);
    const { previewList, createList, getList } = customer.client.guessing;
    const lines = people.flatMap(({ first, domain }) => surnames.map((last) => `${first},${last},${domain}`));
    const text = `first name,last name,domain\n${lines.join('\n')}\n`;
    const listIds: string[] = [];
    return {
      work: async () => {
        const list_raw = new File([text], 'guests.csv', { type: 'text/csv' });
        const { upload_id } = await insist(() => previewList({ body: { list_raw } }));
        const idempotencyKey = randomUUID();
        listIds.push((await insist(() => createList({ body: { upload_id }, idempotencyKey }))).id);
      },
      check: async () => {
        const { faults, demand } = collectFaults();
        for (const list_id of listIds) {
          await deadline.until('a list of people is complete', async () => {
            return (await getList({ params: { list_id } })).status === 'COMPLETE';
          });
        }
        const guessed = await product.ask<{ first_name: string; outcome: GuessOutcome; reason: string }>(
          'select first_name, outcome, reason from guesses where owner_id = $1',
          [customer.id],
        );
        demand('people', guessed.length, listIds.length * lines.length);
        for (const { first_name, outcome, reason } of guessed) {
          if (isOfLateWorld(product, reason)) continue;
          const deserved = people.find(({ first }) => first === first_name)?.outcome;
          demand(`the outcome of ${first_name} (${reason})`, outcome, deserved);
        }
        const { balance } = await customer.client.billing.getWallet();
        demand('balance', balance, 1_000 - guessed.filter(({ outcome }) => outcome !== 'UNKNOWN').length);
        return faults;
      },
    };
  },
};
