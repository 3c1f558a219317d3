import { INCIDENT_STATES, type Incident, STATUS_PARTS } from '@assay/contract';
import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { formatDateTime } from '../../../shared/format/dates.ts';
import { incidentStateWords, statusPartWords } from '../../../shared/format/status-words.ts';
import { LocalGrid } from '../local-grid.tsx';
import classes from '../operator.module.css';
import { useRows } from '../operator-api.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

type Chosen =
  | { readonly action: 'open' }
  | { readonly action: 'note' | 'close'; readonly incident: Incident };

/** What the status page tells people about times when a part did not work. */
export function IncidentsSection() {
  const incidents = useRows('listIncidents');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const close = () => setChosen(null);
  return (
    <>
      <p className={classes.note}>
        Everyone sees these on the status page. Those that the product measures begin and end by themselves;
        what you write is added to them.
      </p>
      <div className={classes.tools}>
        <Button onClick={() => setChosen({ action: 'open' })}>Open incident</Button>
      </div>
      <LocalGrid
        name="incidents"
        columns={[
          { header: 'Part', cell: ({ part }) => statusPartWords[part] },
          { header: 'State', cell: ({ state }) => incidentStateWords[state] },
          { header: 'Words', cell: ({ notes }) => notes.at(-1)?.words ?? null, isText: true },
          {
            header: 'Began',
            cell: ({ start_date }) => formatDateTime(start_date),
            compact: 'labelled',
          },
          {
            header: 'Ended',
            cell: ({ end_date }) => (end_date === null ? 'Lasts' : formatDateTime(end_date)),
            compact: 'labelled',
          },
        ]}
        rows={asyncStateOf(incidents)}
        rowKey={({ id }) => id}
        rowMenu={{
          rowName: ({ part, start_date }) => `${statusPartWords[part]}, ${formatDateTime(start_date)}`,
          actions: (incident) => [
            {
              label: 'Add a sentence',
              icon: 'rename',
              onSelect: () => setChosen({ action: 'note', incident }),
            },
            {
              label: 'End',
              icon: 'check',
              isDisabled: incident.end_date !== null,
              onSelect: () => setChosen({ action: 'close', incident }),
            },
          ],
        }}
        onRetry={() => void incidents.refetch()}
        empty={<EmptyState icon="check" title="No incident in the last 90 days" />}
      />
      {chosen?.action === 'open' ? <OpenDialog onClose={close} /> : null}
      {chosen && chosen.action !== 'open' ? <NoteDialog {...chosen} onClose={close} /> : null}
    </>
  );
}

const words = {
  label: 'What people read',
  description: 'On the status page, and for ever in the log: no names or addresses.',
};

function OpenDialog({ onClose }: { onClose: () => void }) {
  const [part, setPart] = useState<Incident['part']>('api');
  const [state, setState] = useState<Incident['state']>('degraded');
  return (
    <ReasonDialog
      title="Open incident"
      confirmLabel="Open"
      {...words}
      send={(api, text) => api.openIncident({ body: { part, state, words: text } })}
      done="Incident opened."
      onClose={onClose}
    >
      <NativeSelect
        label="Part"
        value={part}
        data={STATUS_PARTS.map((value) => ({ value, label: statusPartWords[value] }))}
        onChange={({ currentTarget }) => setPart(currentTarget.value as Incident['part'])}
      />
      <NativeSelect
        label="State"
        value={state}
        data={INCIDENT_STATES.map((value) => ({ value, label: incidentStateWords[value] }))}
        onChange={({ currentTarget }) => setState(currentTarget.value as Incident['state'])}
      />
    </ReasonDialog>
  );
}

interface NoteDialogProps {
  action: 'note' | 'close';
  incident: Incident;
  onClose: () => void;
}

function NoteDialog({ action, incident, onClose }: NoteDialogProps) {
  const isEnd = action === 'close';
  return (
    <ReasonDialog
      title={isEnd ? 'End incident' : 'Add a sentence'}
      confirmLabel={isEnd ? 'End' : 'Add'}
      {...words}
      send={(api, text) =>
        api[isEnd ? 'closeIncident' : 'noteIncident']({
          params: { incident_id: incident.id },
          body: { words: text },
        })
      }
      done={isEnd ? 'Incident ended.' : 'Sentence added.'}
      onClose={onClose}
    >
      <p>{`${statusPartWords[incident.part]}, since ${formatDateTime(incident.start_date)}`}</p>
    </ReasonDialog>
  );
}
