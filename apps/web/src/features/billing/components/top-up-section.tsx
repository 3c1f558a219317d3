import { type AutomaticTopUp, type PackCode, TOP_UP_STOP_TEXTS } from '@assay/contract';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { AsyncSlot, FormSkeleton, LineSkeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { Section } from '../../../shared/components/section.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { useAutomaticTopUp, useSetAutomaticTopUp } from '../api/automatic-top-up.ts';
import { usePaymentMethod } from '../api/get-payment-method.ts';
import { useOpenPortal } from '../api/open-portal.ts';
import { cardWords } from '../card-words.ts';
import { packSizes } from '../pack-sizes.ts';
import { formatCents } from '../plan-offers.ts';
import { readTopUp } from '../top-up-order.ts';
import { Notice } from './notice.tsx';
import classes from './top-up-section.module.css';

export function TopUpSection() {
  const topUp = useAutomaticTopUp();
  return (
    <Section title="Automatic top-up">
      <AsyncSlot
        state={asyncStateOf(topUp)}
        name="automatic top-up"
        skeleton={
          <FormSkeleton>
            <TopUpForm saved={unknownTopUp} />
          </FormSkeleton>
        }
        onRetry={() => void topUp.refetch()}
      >
        {(saved) => <TopUpForm key={settingsOf(saved)} saved={saved} />}
      </AsyncSlot>
    </Section>
  );
}

/** All that the form shows: settings that were saved elsewhere replace it. */
const settingsOf = ({ is_on, below, pack, monthly_cap_in_cents, stopped_because }: AutomaticTopUp): string =>
  JSON.stringify([is_on, below, pack, monthly_cap_in_cents, stopped_because]);

const unknownTopUp: AutomaticTopUp = {
  is_on: false,
  below: 0,
  pack: '2K',
  monthly_cap_in_cents: 0,
  spent_this_month_in_cents: 0,
  stopped_because: null,
};

function TopUpForm({ saved }: { saved: AutomaticTopUp }) {
  const [isOn, setIsOn] = useState(saved.is_on);
  const [below, setBelow] = useState(formatCredits(saved.below));
  const [pack, setPack] = useState<PackCode>(saved.pack);
  const [capDollars, setCapDollars] = useState(formatCredits(saved.monthly_cap_in_cents / 100));
  const [errors, setErrors] = useState<{ readonly below?: string; readonly cap?: string }>({});
  const setTopUp = useSetAutomaticTopUp();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readTopUp({ isOn, below, pack, capDollars });
    setErrors('errors' in read ? read.errors : {});
    if ('order' in read) setTopUp.mutate(read.order);
  };
  return (
    <form onSubmit={submit} noValidate className={classes.root}>
      {saved.stopped_because === null ? null : (
        <Notice isUrgent>{TOP_UP_STOP_TEXTS[saved.stopped_because]}</Notice>
      )}
      <Checkbox
        label="Buy a credit pack by itself when my balance is low"
        checked={isOn}
        onChange={(event) => setIsOn(event.currentTarget.checked)}
      />
      <div className={classes.fields}>
        <TextInput
          label="When it falls below (credits)"
          inputMode="numeric"
          autoComplete="off"
          value={below}
          error={errors.below}
          onChange={(event) => setBelow(event.currentTarget.value)}
        />
        <NativeSelect
          label="Buy"
          data={packSizes}
          value={pack}
          onChange={(event) => setPack(event.currentTarget.value as PackCode)}
        />
        <TextInput
          label="At most per month (US$)"
          inputMode="numeric"
          autoComplete="off"
          value={capDollars}
          error={errors.cap}
          onChange={(event) => setCapDollars(event.currentTarget.value)}
        />
      </div>
      <div className={classes.end}>
        <Paying />
        {saved.spent_this_month_in_cents > 0 ? (
          <p className={classes.muted}>{formatCents(saved.spent_this_month_in_cents)} spent this month.</p>
        ) : null}
        <Button type="submit" variant="default" loading={setTopUp.isPending}>
          Save top-up
        </Button>
      </div>
    </form>
  );
}

/** The card that pays, or the way to one. */
function Paying() {
  const method = usePaymentMethod();
  const openPortal = useOpenPortal();
  if (method.isPending)
    return (
      <p className={classes.muted}>
        <LineSkeleton width="11rem" />
      </p>
    );
  if (!method.data) return null;
  const { card } = method.data;
  return (
    <p className={classes.muted}>
      {card ? `Paid with ${cardWords(card)}.` : 'No card is saved.'}
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => openPortal.mutate(undefined)}
        loading={openPortal.isPending}
      >
        {card ? 'Change card' : 'Add a card'}
      </Button>
    </p>
  );
}
