import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { AsyncSlot, FormSkeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { Section } from '../../../shared/components/section.tsx';
import { useBalanceAlerts, useSetBalanceAlerts } from '../api/balance-alerts.ts';
import { formatThresholds, readThresholds, THRESHOLDS_RULE } from '../thresholds.ts';
import classes from './alerts-section.module.css';

export function AlertsSection() {
  const alerts = useBalanceAlerts();
  return (
    <Section title="Low balance alerts">
      <AsyncSlot
        state={asyncStateOf(alerts)}
        name="alerts"
        skeleton={
          <FormSkeleton>
            <ThresholdsForm saved={[]} />
          </FormSkeleton>
        }
        onRetry={() => void alerts.refetch()}
      >
        {({ thresholds }) => <ThresholdsForm key={thresholds.join()} saved={thresholds} />}
      </AsyncSlot>
    </Section>
  );
}

function ThresholdsForm({ saved }: { saved: readonly number[] }) {
  const [text, setText] = useState(formatThresholds(saved));
  const [error, setError] = useState<string | null>(null);
  const setAlerts = useSetBalanceAlerts();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const thresholds = readThresholds(text);
    if (thresholds === null) return setError(THRESHOLDS_RULE);
    setAlerts.mutate(thresholds);
  };
  return (
    <form onSubmit={submit} noValidate className={classes.root}>
      <TextInput
        className={classes.field}
        label="Tell me when my balance falls below"
        description="Credits, for example 1,000; 100. You see a notice, and get a mail and the webhook event balance.low where they are set up."
        inputMode="text"
        autoComplete="off"
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(null);
        }}
      />
      <Button type="submit" variant="default" loading={setAlerts.isPending}>
        Save alerts
      </Button>
    </form>
  );
}
