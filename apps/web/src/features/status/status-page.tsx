import type { Incident, Status } from '@assay/contract';
import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { AsyncSlot, LineSkeleton } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { Logo } from '../../shared/components/logo.tsx';
import { VerdictMark } from '../../shared/components/verdict-mark.tsx';
import { formatDateTime, formatTime } from '../../shared/format/dates.ts';
import { incidentStateWords, statusPartWords } from '../../shared/format/status-words.ts';
import { useServices } from '../../shared/services/services-context.tsx';
import classes from './status-page.module.css';

type Part = Status['parts'][number];

const stateWords: Readonly<
  Record<Part['state'], { words: string; mark: ComponentProps<typeof VerdictMark>['verdict'] }>
> = {
  operational: { words: 'Operational', mark: 'VALID' },
  degraded: { words: incidentStateWords.degraded, mark: 'CATCH_ALL' },
  unavailable: { words: incidentStateWords.unavailable, mark: 'INVALID' },
};

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
              {Object.values(statusPartWords).map((words) => (
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
        {({ parts, date, slow_providers, incidents }) => (
          <>
            <p className={classes.summary} role="status">
              {parts.every(({ state }) => state === 'operational')
                ? 'Everything works.'
                : 'Some parts do not work as usual. We are on it.'}
            </p>
            <ul className={classes.parts}>
              {parts.map(({ name, state }) => (
                <li key={name} className={classes.part}>
                  <span>{statusPartWords[name]}</span>
                  <span className={classes.state}>
                    <VerdictMark verdict={stateWords[state].mark} size={20} />
                    {stateWords[state].words}
                  </span>
                </li>
              ))}
            </ul>
            {slow_providers.map(({ provider, start_date }) => (
              <p key={provider} className={classes.words}>
                {provider} answers slowly since {formatTime(start_date)}. Checks of addresses there take
                longer.
              </p>
            ))}
            <p className={classes.date}>As of {formatTime(date)}</p>
            <Incidents incidents={incidents} />
          </>
        )}
      </AsyncSlot>
    </main>
  );
}

function Incidents({ incidents }: { incidents: readonly Incident[] }) {
  return (
    <section aria-labelledby="incidents" className={classes.incidents}>
      <Title order={2} id="incidents" size="h3">
        Incidents of the last 90 days
      </Title>
      {incidents.length === 0 ? <p className={classes.date}>None.</p> : null}
      {incidents.map(({ id, part, state, start_date, end_date, notes }) => (
        <article key={id} className={classes.incident}>
          <h3 className={classes.incidentTitle}>
            <VerdictMark verdict={stateWords[state].mark} size={20} />
            {statusPartWords[part]}: {incidentStateWords[state].toLowerCase()}
          </h3>
          <p className={classes.date}>
            {end_date === null
              ? `Since ${formatDateTime(start_date)}`
              : `${formatDateTime(start_date)} to ${formatDateTime(end_date)}`}
          </p>
          {notes.map(({ date, words }) => (
            <p key={date} className={classes.words}>
              <span className={classes.date}>{formatDateTime(date)}</span> {words}
            </p>
          ))}
        </article>
      ))}
    </section>
  );
}
