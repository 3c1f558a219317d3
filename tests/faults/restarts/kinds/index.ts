import type { Kind } from '../stage.ts';
import { downloads } from './downloads.ts';
import { events } from './events.ts';
import { guesses } from './guesses.ts';
import { longList, preparedLists, shortLists } from './lists.ts';
import { purchases, topUps } from './money.ts';
import { outcomes } from './outcomes.ts';
import { closedAccount, retention } from './removals.ts';
import { singles } from './singles.ts';

/** Everything that goes on while processes end. */
export const kinds: readonly Kind[] = [
  longList,
  shortLists,
  preparedLists,
  guesses,
  singles,
  events,
  outcomes,
  downloads,
  purchases,
  topUps,
  retention,
  closedAccount,
];
