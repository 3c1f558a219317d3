import { type Operation, operations } from '../operations.ts';
import type { Action } from './action.ts';
import { actionOfOperation, contractActions } from './contract-actions.ts';
import { bounceActions } from './special/bounces.ts';
import { connectionActions } from './special/connections.ts';
import { hostActions } from './special/hosts.ts';
import { listActions } from './special/lists.ts';
import { outcomeActions } from './special/outcomes.ts';
import { strangerActions } from './special/strangers.ts';
import { uploadActions } from './special/uploads.ts';

/** Hostile kinds first, then every operation of the contract. */
export const actions: readonly Action[] = [
  ...uploadActions,
  ...bounceActions,
  ...hostActions,
  ...listActions,
  ...outcomeActions,
  ...connectionActions,
  ...strangerActions,
  ...contractActions,
];

/** An action by its name, or one operation of the contract. */
export const findAction = (name: string): Action | undefined =>
  actions.find((action) => action.name === name) ?? actionOfOperation(name);

/** What the actions must be, so that no operation is forgotten and each can be asked for by its name. */
export function checkActions(): string[] {
  const names = actions.map(({ name }) => name);
  const known = new Set(operations.map(({ name }: Operation) => name));
  const covered = new Set(contractActions.flatMap((action) => action.operations));
  return [
    ...[...known].filter((name) => !covered.has(name)).map((name) => `no action calls ${name}`),
    ...actions.flatMap((action) =>
      action.operations
        .filter((name) => !known.has(name))
        .map((name) => `${action.name} calls ${name}, which the contract does not have`),
    ),
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => `two actions are called ${name}`),
  ];
}
