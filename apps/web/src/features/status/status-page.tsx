import type { Status } from '@assay/contract';
import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AsyncSlot, LineSkeleton } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { Logo } from '../../shared/components/logo.tsx';
import { VerdictMark } from '../../shared/components/verdict-mark.tsx';
import { formatTime } from '../../shared/format/dates.ts';
import { useServices } from '../../shared/services/services-context.tsx';
import classes from './status-page.module.css';

type Part = Status['parts'][number];

const partWords: Readonly<Record<Part['name'], string>> = {
  api: 'Website and API',
  verification: 'Single verifications',
  lists: 'Lists',
};
const stateWords = {
  operational: { words: 'Operational', mark: 'VALID' },
  degraded: { words: 'Slower than usual', mark: 'CATCH_ALL' },
  unavailable: { words: 'Not available', mark: 'INVALID' },
} as const;

const refreshMs = 30_000;

/** Open to everyone: whether the product works now. */
export function StatusPage() {
  const { api } = useServices();
  const status = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api.status.getStatus({ signal }),
    staleTime: 0,
    refetchInterval: refreshMs,
    meta: { keepsFailures: true },
  });
  return (
    <main className={classes.root}>
      <title>Status · Assay</title>
      <Logo size={40} />
      <Title order={1}>Status</Title>
      <AsyncSlot
        state={asyncStateOf(status)}
        name="status"
        onRetry={() => void status.refetch()}
        skeleton={
          <>
            <p className={classes.summary}>
              <LineSkeleton width="8rem" />
            </p>
            <ul className={classes.parts}>
              {Object.values(partWords).map((words) => (
                <li key={words} className={classes.part}>
                  <span>{words}</span>
                  <LineSkeleton width="6rem" />
                </li>
              ))}
            </ul>
            <p className={classes.date}>
              <LineSkeleton width="5rem" />
            </p>
          </>
        }
      >
        {({ parts, date }) => (
          <>
            <p className={classes.summary} role="status">
              {parts.every(({ state }) => state === 'operational')
                ? 'Everything works.'
                : 'Some parts do not work as usual. We are on it.'}
            </p>
            <ul className={classes.parts}>
              {parts.map(({ name, state }) => (
                <li key={name} className={classes.part}>
                  <span>{partWords[name]}</span>
                  <span className={classes.state}>
                    <VerdictMark verdict={stateWords[state].mark} size={20} />
                    {stateWords[state].words}
                  </span>
                </li>
              ))}
            </ul>
            <p className={classes.date}>As of {formatTime(date)}</p>
          </>
        )}
      </AsyncSlot>
    </main>
  );
}
