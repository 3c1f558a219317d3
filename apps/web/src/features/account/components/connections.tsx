import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { AsyncSlot, LineSkeleton, Skeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf, type QueryStanding } from '../../../shared/components/async-state.ts';
import classes from './connections.module.css';
import parts from './section-parts.module.css';

interface ConnectionsProps<Connection> {
  noun: 'webhook' | 'feed';
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
      name={`${noun}s`}
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
            <ul className={classes.list} aria-label={`Your ${noun}s`}>
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
  if (count >= countMax) return `You have ${count} ${noun}s. Delete one to add another.`;
  return `${count} of ${countMax} ${noun}s. Each has its own ${own}.`;
}
