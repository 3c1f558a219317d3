import { setTimeout as pause } from 'node:timers/promises';
import { Customer } from '../../customer.ts';
import type { Action } from '../action.ts';
import type { BigList } from '../big-list.ts';
import { followLink } from '../follow-link.ts';

/** Calls about a big list of the stranger. */
function onBigList(
  options: Pick<Action, 'name' | 'what' | 'operations'>,
  turn: (list: BigList, number: number) => Promise<number | null>,
): Action {
  return {
    ...options,
    connections: 8,
    prepare: async (scene) => {
      const list = await scene.bigList();
      await untilAdmitted(list);
      let number = 0;
      return {
        turn: () => {
          number += 1;
          return turn(list, number);
        },
      };
    },
  };
}

/** The action before may have used up the owner's calls of this minute. */
async function untilAdmitted({ owner }: BigList): Promise<void> {
  while ((await owner.send('GET', '/users/me'))?.status === 429) await pause(1_000);
}

const getEmails = async ({ owner, id }: BigList, query: string): Promise<number | null> =>
  (await owner.send('GET', `/validations/lists/${id}/emails?${query}`))?.status ?? null;

/** Asks for a file and reads all of it. */
const download = async ({ owner, product }: BigList, path: string): Promise<number | null> =>
  followLink(product, await owner.send('POST', path));

/** A big list may be read in these orders only, unless a filter leaves few rows. */
const sorts = ['row', '-row'] as const;

const largeJson: Action = {
  name: 'large-json',
  what: 'lists of 100,000 addresses as JSON, without the credits for them',
  operations: ['validations.createListFromEmails'],
  connections: 5,
  prepare: async (scene) => {
    const customer = await Customer.signUp(scene.fromElsewhere());
    const emails = Array.from(
      { length: 100_000 },
      (_, index) => `person.${index}@unknown-${index % 5_000}.test`,
    );
    return {
      turn: async () => (await customer.send('POST', '/validations/lists', { emails }))?.status ?? null,
    };
  },
};

export const listActions: readonly Action[] = [
  largeJson,
  onBigList(
    {
      name: 'deep-pages',
      what: 'the last pages of a big list, in both orders',
      operations: ['validations.listEmails'],
    },
    (list, number) => {
      const page = Math.max(1, Math.floor(list.rows / 100) - (number % 50));
      return getEmails(list, `page_size=100&page_number=${page}&sort=${sorts[number % sorts.length]}`);
    },
  ),
  onBigList(
    {
      name: 'searches',
      what: 'searches and summaries of a big list',
      operations: ['validations.listEmails', 'validations.summariseEmails'],
    },
    (list, number) => {
      const texts = ['zzzz', 'q!', '9', 'person', String(number), 'son.7'];
      const search = encodeURIComponent(texts[number % texts.length] ?? '');
      if (number % 7 === 0)
        return list.owner
          .send('GET', `/validations/lists/${list.id}/emails/summary`)
          .then((answer) => answer?.status ?? null);
      return getEmails(
        list,
        `search=${search}&page_size=100&page_number=${1 + (number % 3)}&sort=${sorts[number % sorts.length]}`,
      );
    },
  ),
  onBigList(
    { name: 'csv-exports', what: 'CSV exports of a big list', operations: ['validations.exportList'] },
    (list) => download(list, `/validations/lists/${list.id}/export?format=csv`),
  ),
  onBigList(
    { name: 'xlsx-exports', what: 'Excel exports of a big list', operations: ['validations.exportList'] },
    (list) => download(list, `/validations/lists/${list.id}/export?format=xlsx`),
  ),
  onBigList(
    {
      name: 'archives',
      what: 'archives of all data of an account with a big list',
      operations: ['records.exportData'],
    },
    (list) => download(list, '/users/me/data'),
  ),
];
