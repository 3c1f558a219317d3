import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { AsyncSlot, LineSkeleton, Skeleton } from '../../../../shared/components/async-slot.tsx';
import { asyncStateOf, type QueryStanding } from '../../../../shared/components/async-state.ts';
import parts from '../section-parts.module.css';
import classes from './connections.module.css';

const plurals = { webhook: 'webhooks', feed: 'feeds', mailbox: 'mailboxes' } as const;

interface ConnectionsProps<Connection> {
  noun: keyof typeof plurals;
  query: QueryStanding<Connection[]> & { refetch: () => unknown };
  countMax: number;
  /** What each of them has, as in 'Each has its own …'. */
  own: string;
  item: (connection: Connection) => ReactNode;
  onAdd: () => void;
}

/** A customer's connections of one kind, how many there may be, and the button that adds one. */
export function Connections<Connection>({
  noun,
  query,
  countMax,
  own,
  item,
  onAdd,
}: ConnectionsProps<Connection>) {
  return (
    <AsyncSlot
      state={asyncStateOf(query)}
      name={plurals[noun]}
      skeleton={
        <div className={parts.row}>
          <LineSkeleton width="10rem" />
          <Skeleton width="7.5rem" height="2.25rem" />
        </div>
      }
      onRetry={() => void query.refetch()}
    >
      {(found) => (
        <>
          {found.length > 0 ? (
            <ul className={classes.list} aria-label={`Your ${plurals[noun]}`}>
              {found.map(item)}
            </ul>
          ) : null}
          <div className={parts.row}>
            <p className={parts.aside}>{countText(found.length, { noun, countMax, own })}</p>
            <Button
              variant={found.length > 0 ? 'default' : 'filled'}
              disabled={found.length >= countMax}
              onClick={onAdd}
            >
              Add {noun}
            </Button>
          </div>
        </>
      )}
    </AsyncSlot>
  );
}

type CountWords = Pick<ConnectionsProps<never>, 'noun' | 'countMax' | 'own'>;

function countText(count: number, { noun, countMax, own }: CountWords): string {
  if (count === 0) return `You have no ${noun}.`;
  if (count >= countMax) return `You have ${count} ${plurals[noun]}. Delete one to add another.`;
  return `${count} of ${countMax} ${plurals[noun]}. Each has its own ${own}.`;
}
