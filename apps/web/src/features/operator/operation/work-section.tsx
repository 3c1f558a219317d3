import type { DeadLetter, FailingJob } from '@assay/contract/operator';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import type { DataGridColumn } from '../../../shared/components/data-grid/data-grid.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { formatCredits, formatNumber } from '../../../shared/format/counts.ts';
import { formatDateTime } from '../../../shared/format/dates.ts';
import { LocalGrid } from '../local-grid.tsx';
import classes from '../operator.module.css';
import { onlyIf, useMay, useRows, useRunningLists } from '../operator-api.ts';
import { ownerName, whyWords } from '../operator-words.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useListControl } from './list-control.tsx';

export function WorkSection() {
  return (
    <div className={classes.stack}>
      <RunningLists
        title="Stuck lists"
        name="lists that are stuck"
        isStuckOnly
        empty={{
          title: 'No list is stuck',
          description: 'Every running list got a result in the last ten minutes.',
        }}
      />
      <RunningLists
        title="Running lists"
        name="lists that run"
        isStuckOnly={false}
        empty={{ title: 'No list runs', description: 'Lists that are verified or guessed appear here.' }}
      />
      <FailingJobs />
      <DeadLetters />
    </div>
  );
}

interface RunningListsProps {
  title: string;
  name: string;
  isStuckOnly: boolean;
  empty: { title: string; description: string };
}

/** The server pages by key: lists end while an operator reads. */
function RunningLists({ title, name, isStuckOnly, empty }: RunningListsProps) {
  /** Where the pages before began. */
  const [starts, setStarts] = useState<readonly string[]>([]);
  const lists = useRunningLists(isStuckOnly, starts.at(-1));
  const { menuOf, dialog } = useListControl();
  const next = lists.data?.next ?? null;
  return (
    <Section title={title}>
      <LocalGrid
        name={name}
        columns={[
          { header: 'List', cell: (list) => list.name },
          { header: 'Customer', cell: ({ owner }) => owner && ownerName(owner), isText: true },
          {
            header: 'State',
            cell: ({ why, detail }) => (detail ? `${whyWords[why]}: ${detail}` : whyWords[why]),
            isText: true,
          },
          { header: 'Rows', cell: ({ total }) => formatCredits(total), align: 'end', compact: 'labelled' },
          {
            header: 'Done',
            cell: ({ progress }) => `${Math.floor(progress)}%`,
            align: 'end',
            compact: 'beside',
          },
          {
            header: 'Per minute',
            cell: ({ rows_per_minute }) => formatNumber(rows_per_minute, { decimalsMax: 1 }),
            align: 'end',
            compact: 'labelled',
          },
          {
            header: 'Last result',
            cell: ({ last_result_date }) => formatDateTime(last_result_date),
            compact: 'labelled',
          },
        ]}
        rows={asyncStateOf(lists)}
        rowKey={({ id }) => id}
        rowHref={({ owner_id }) => `/operator/customers/${owner_id}`}
        rowMenu={{
          rowName: (list) => list.name,
          actions: menuOf,
        }}
        onRetry={() => void lists.refetch()}
        empty={<EmptyState icon="search" {...empty} />}
      />
      {starts.length > 0 || next !== null ? (
        <Group gap="xs" mt="md">
          <Button
            variant="default"
            disabled={starts.length === 0}
            onClick={() => setStarts(starts.slice(0, -1))}
          >
            Older lists
          </Button>
          <Button
            variant="default"
            disabled={next === null}
            onClick={() => next !== null && setStarts([...starts, next])}
          >
            Newer lists
          </Button>
        </Group>
      ) : null}
      {dialog}
    </Section>
  );
}

const jobColumns: [DataGridColumn<DeadLetter | FailingJob>, ...DataGridColumn<DeadLetter | FailingJob>[]] = [
  { header: 'Job', cell: ({ words }) => words },
  { header: 'Customer', cell: ({ owner }) => owner && ownerName(owner), isText: true },
  { header: 'Queue', cell: ({ queue }) => queue, compact: 'labelled' },
  { header: 'Problem', cell: ({ problem }) => problem || null, isText: true },
  { header: 'Tries', cell: ({ tries }) => formatCredits(tries), align: 'end', compact: 'labelled' },
];

function FailingJobs() {
  const jobs = useRows('listFailingJobs');
  const [chosen, setChosen] = useState<FailingJob | null>(null);
  return (
    <Section title="Failing jobs">
      <LocalGrid
        name="jobs that fail"
        columns={[...jobColumns, { header: 'Next try', cell: ({ next_date }) => formatDateTime(next_date) }]}
        rows={asyncStateOf(jobs)}
        rowKey={({ id }) => id}
        rowMenu={{
          rowName: ({ words }) => words,
          actions: (job) => [{ label: 'Try now', icon: 'retry', onSelect: () => setChosen(job) }],
        }}
        onRetry={() => void jobs.refetch()}
        empty={
          <EmptyState
            icon="search"
            title="No job fails"
            description="Jobs that failed three times appear here."
          />
        }
      />
      {chosen ? <HurryDialog job={chosen} onClose={() => setChosen(null)} /> : null}
    </Section>
  );
}

function HurryDialog({ job, onClose }: { job: FailingJob; onClose: () => void }) {
  return (
    <ReasonDialog
      title="Try this job now"
      confirmLabel="Try now"
      send={(api, reason) => api.retryJobNow({ params: { job_id: job.id }, body: { reason } })}
      done="The job is tried now."
      onClose={onClose}
    >
      <p>{job.words}</p>
    </ReasonDialog>
  );
}

function DeadLetters() {
  const letters = useRows('listDeadLetters');
  const may = useMay();
  const [chosen, setChosen] = useState<{ letter: DeadLetter; action: 'retry' | 'discard' } | null>(null);
  return (
    <Section title="Dead letters">
      <LocalGrid
        name="jobs that failed for good"
        columns={[...jobColumns, { header: 'Failed', cell: ({ date }) => formatDateTime(date) }]}
        rows={asyncStateOf(letters)}
        rowKey={({ id }) => id}
        rowMenu={{
          rowName: ({ words }) => words,
          actions: (letter) => [
            { label: 'Retry', icon: 'retry', onSelect: () => setChosen({ letter, action: 'retry' }) },
            ...onlyIf(may('discardDeadLetter'), {
              label: 'Discard',
              icon: 'remove',
              isDestructive: true,
              onSelect: () => setChosen({ letter, action: 'discard' }),
            }),
          ],
        }}
        onRetry={() => void letters.refetch()}
        empty={
          <EmptyState
            icon="search"
            title="No dead letters"
            description="Jobs that failed for good appear here."
          />
        }
      />
      {chosen ? <LetterDialog {...chosen} onClose={() => setChosen(null)} /> : null}
    </Section>
  );
}

interface LetterDialogProps {
  letter: DeadLetter;
  action: 'retry' | 'discard';
  onClose: () => void;
}

function LetterDialog({ letter: { id, words }, action, onClose }: LetterDialogProps) {
  const isRetry = action === 'retry';
  return (
    <ReasonDialog
      title={isRetry ? 'Retry this job' : 'Discard this job'}
      confirmLabel={isRetry ? 'Retry' : 'Discard'}
      send={(api, reason) =>
        api[isRetry ? 'retryDeadLetter' : 'discardDeadLetter']({ params: { job_id: id }, body: { reason } })
      }
      done={isRetry ? 'The job is back in its queue.' : 'The job is removed.'}
      onClose={onClose}
    >
      <p>{words}</p>
      <p>
        {isRetry
          ? 'The job goes back to its queue and is tried as if it were new.'
          : 'The job is never done. This cannot be undone.'}
      </p>
    </ReasonDialog>
  );
}
