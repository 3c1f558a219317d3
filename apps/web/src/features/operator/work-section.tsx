import type { DeadLetter, FailingJob, StuckList } from '@assay/contract/operator';
import { useState } from 'react';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { Section } from '../../shared/components/section.tsx';
import { formatCredits } from '../../shared/format/counts.ts';
import { formatDateTime } from '../../shared/format/dates.ts';
import { LocalGrid } from './local-grid.tsx';
import classes from './operator.module.css';
import { useOrder, useRows } from './operator-api.ts';
import { whyWords } from './operator-words.ts';
import { ReasonDialog } from './reason-dialog.tsx';

export function WorkSection() {
  return (
    <div className={classes.stack}>
      <StuckLists />
      <FailingJobs />
      <DeadLetters />
    </div>
  );
}

function StuckLists() {
  const lists = useRows('listStuckLists');
  const [chosen, setChosen] = useState<{ list: StuckList; action: 'restart' | 'finish' } | null>(null);
  return (
    <Section title="Stuck lists">
      <LocalGrid
        name="lists that are stuck"
        columns={[
          { header: 'List', cell: ({ name }) => name },
          {
            header: 'Why',
            cell: ({ why, detail }) => (detail ? `${whyWords[why]}: ${detail}` : whyWords[why]),
            isText: true,
          },
          { header: 'Rows', cell: ({ total }) => formatCredits(total), align: 'end' },
          { header: 'Done', cell: ({ progress }) => `${Math.floor(progress)}%`, align: 'end' },
          { header: 'Last result', cell: ({ last_result_date }) => formatDateTime(last_result_date) },
        ]}
        rows={asyncStateOf(lists)}
        rowKey={({ id }) => id}
        rowHref={({ owner_id }) => `/operator/customers/${owner_id}`}
        rowMenu={{
          rowName: ({ name }) => name,
          actions: (list) => [
            { label: 'Restart', icon: 'retry', onSelect: () => setChosen({ list, action: 'restart' }) },
            { label: 'Finish now', icon: 'finish', onSelect: () => setChosen({ list, action: 'finish' }) },
          ],
        }}
        onRetry={() => void lists.refetch()}
        empty={
          <EmptyState
            icon="search"
            title="No list is stuck"
            description="Every running list got a result in the last ten minutes."
          />
        }
      />
      {chosen ? <ListDialog {...chosen} onClose={() => setChosen(null)} /> : null}
    </Section>
  );
}

interface ListDialogProps {
  list: StuckList;
  action: 'restart' | 'finish';
  onClose: () => void;
}

function ListDialog({ list: { id, owner_id, kind, name }, action, onClose }: ListDialogProps) {
  const isRestart = action === 'restart';
  const order = useOrder(
    (api, reason: string) =>
      api[isRestart ? 'restartList' : 'finishList']({
        params: { list_id: id },
        body: { owner_id, kind, reason },
      }),
    isRestart ? 'List restarted.' : 'List is being finished.',
  );
  return (
    <ReasonDialog
      title={isRestart ? `Restart ${name}` : `Finish ${name}`}
      confirmLabel={isRestart ? 'Restart' : 'Finish now'}
      order={{ ...order, mutate: (reason) => order.mutate(reason, { onSuccess: onClose }) }}
      onClose={onClose}
    >
      <p>
        {isRestart
          ? 'Rows without a result are checked again.'
          : 'Rows without a result become unknown and cost nothing. This cannot be undone.'}
      </p>
    </ReasonDialog>
  );
}

function FailingJobs() {
  const jobs = useRows('listFailingJobs');
  const [chosen, setChosen] = useState<FailingJob | null>(null);
  return (
    <Section title="Failing jobs">
      <LocalGrid
        name="jobs that fail"
        columns={[
          { header: 'Queue', cell: ({ queue }) => queue },
          { header: 'Problem', cell: ({ problem }) => problem || null, isText: true },
          { header: 'Tries', cell: ({ tries }) => formatCredits(tries), align: 'end' },
          { header: 'Next try', cell: ({ next_date }) => formatDateTime(next_date) },
        ]}
        rows={asyncStateOf(jobs)}
        rowKey={({ id }) => id}
        rowMenu={{
          rowName: ({ queue }) => queue,
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
  const order = useOrder(
    (api, reason: string) => api.retryJobNow({ params: { job_id: job.id }, body: { reason } }),
    'The job is tried now.',
  );
  return (
    <ReasonDialog
      title={`Try ${job.queue} now`}
      confirmLabel="Try now"
      order={{ ...order, mutate: (reason) => order.mutate(reason, { onSuccess: onClose }) }}
      onClose={onClose}
    />
  );
}

function DeadLetters() {
  const letters = useRows('listDeadLetters');
  const [chosen, setChosen] = useState<{ letter: DeadLetter; action: 'retry' | 'discard' } | null>(null);
  return (
    <Section title="Dead letters">
      <LocalGrid
        name="jobs that failed for good"
        columns={[
          { header: 'Queue', cell: ({ queue }) => queue },
          { header: 'Problem', cell: ({ problem }) => problem || null, isText: true },
          { header: 'Tries', cell: ({ tries }) => formatCredits(tries), align: 'end' },
          { header: 'Failed', cell: ({ date }) => formatDateTime(date) },
        ]}
        rows={asyncStateOf(letters)}
        rowKey={({ id }) => id}
        rowMenu={{
          rowName: ({ queue }) => queue,
          actions: (letter) => [
            { label: 'Retry', icon: 'retry', onSelect: () => setChosen({ letter, action: 'retry' }) },
            {
              label: 'Discard',
              icon: 'remove',
              isDestructive: true,
              onSelect: () => setChosen({ letter, action: 'discard' }),
            },
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

function LetterDialog({ letter: { id, queue }, action, onClose }: LetterDialogProps) {
  const isRetry = action === 'retry';
  const order = useOrder(
    (api, reason: string) =>
      api[isRetry ? 'retryDeadLetter' : 'discardDeadLetter']({ params: { job_id: id }, body: { reason } }),
    isRetry ? 'The job is back in its queue.' : 'The job is removed.',
  );
  return (
    <ReasonDialog
      title={isRetry ? `Retry ${queue}` : `Discard ${queue}`}
      confirmLabel={isRetry ? 'Retry' : 'Discard'}
      order={{ ...order, mutate: (reason) => order.mutate(reason, { onSuccess: onClose }) }}
      onClose={onClose}
    >
      <p>
        {isRetry
          ? 'The job goes back to its queue and is tried as if it were new.'
          : 'The job is never done. This cannot be undone.'}
      </p>
    </ReasonDialog>
  );
}
