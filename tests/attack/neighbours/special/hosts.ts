import { Customer } from '../../customer.ts';
import type { Action } from '../action.ts';
import { silentDomain, slowDomain, unansweredDomain } from '../hostile-zone.ts';

/** Checks that are never answered cost nothing, so a free account can repeat them. */
function checking(name: string, what: string, domainOf: (phase: number, turn: number) => string): Action {
  return {
    name,
    what,
    operations: ['validations.startSingle'],
    connections: 48,
    prepare: async (scene) => {
      const customer = await Customer.signUp(scene.fromElsewhere());
      let turns = 0;
      return {
        turn: async ({ phase }) => {
          turns += 1;
          const email_address = `user${turns}@${domainOf(phase, turns)}`;
          const answer = await customer.send('POST', '/validations/email_validation?wait=5', {
            email_address,
          });
          return answer?.status ?? null;
        },
      };
    },
  };
}

const addressesPerList = 10;
const listsPerPhase = 40;

const silentLists: Action = {
  name: 'silent-host-lists',
  what: 'short lists of addresses at hosts that accept connections and never speak',
  operations: ['validations.createListFromEmails', 'validations.deleteList'],
  connections: 8,
  prepare: async (scene) => {
    const customer = await Customer.signUp(scene.fromElsewhere());
    let made: Promise<string | null>[] = [];
    let turns = 0;
    return {
      turn: async ({ phase }) => {
        if (made.length >= listsPerPhase) return null;
        turns += 1;
        const emails = Array.from(
          { length: addressesPerList },
          (_, index) => `user${turns}x${index}@${silentDomain(phase, turns * addressesPerList + index)}`,
        );
        const creating = customer.send('POST', '/validations/lists', { emails });
        made.push(
          creating.then((answer) => JSON.parse(answer?.body.toString() ?? '{}').id ?? null).catch(() => null),
        );
        return (await creating)?.status ?? null;
      },
      rest: async () => {
        for (const id of await Promise.all(made))
          if (id) await customer.send('DELETE', `/validations/lists/${id}`);
        made = [];
      },
    };
  },
};

export const hostActions: readonly Action[] = [
  checking(
    'silent-hosts',
    'checks at domains whose 20 hosts accept connections and never speak',
    silentDomain,
  ),
  checking('unanswered-names', 'checks at domains whose name servers never answer', unansweredDomain),
  checking('slow-hosts', 'checks at hosts that answer each command after 4 s', slowDomain),
  silentLists,
];
