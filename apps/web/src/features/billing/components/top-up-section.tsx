import {
  type AutomaticTopUp,
  type AutomaticTopUpOrder,
  CREDIT_PACKS,
  type PackCode,
  type PaymentMethod,
  TOP_UP_STOP_TEXTS,
} from '@assay/contract';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { walletQuery } from '../../../shared/api/wallet-query.ts';
import { AsyncSlot, FormSkeleton, LineSkeleton } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { Section } from '../../../shared/components/section.tsx';
import { type Panel, usePanel } from '../../../shared/components/use-panel.ts';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatCents } from '../../../shared/format/money.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { useAutomaticTopUp, useSetAutomaticTopUp } from '../api/automatic-top-up.ts';
import { usePaymentMethod } from '../api/get-payment-method.ts';
import { useOpenPortal } from '../api/open-portal.ts';
import { cardWords } from '../card-words.ts';
import { packSizes } from '../pack-sizes.ts';
import { pauseWords } from '../pause-words.ts';
import { buysAtOnce, readTopUp } from '../top-up-order.ts';
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
const settingsOf = ({
  is_on,
  below,
  pack,
  monthly_cap_in_cents,
  stopped_because,
  paused_until,
}: AutomaticTopUp): string =>
  JSON.stringify([is_on, below, pack, monthly_cap_in_cents, stopped_because, paused_until]);

const unknownTopUp: AutomaticTopUp = {
  is_on: false,
  below: 0,
  pack: '2K',
  monthly_cap_in_cents: 0,
  spent_this_month_in_cents: 0,
  stopped_because: null,
  paused_until: null,
};

function TopUpForm({ saved }: { saved: AutomaticTopUp }) {
  const [isOn, setIsOn] = useState(saved.is_on);
  const [below, setBelow] = useState(formatCredits(saved.below));
  const [pack, setPack] = useState<PackCode>(saved.pack);
  const [capDollars, setCapDollars] = useState(formatCredits(saved.monthly_cap_in_cents / 100));
  const [errors, setErrors] = useState<{
    readonly below?: string;
    readonly cap?: string;
    readonly card?: string;
  }>({});
  const setTopUp = useSetAutomaticTopUp();
  const balance = useQuery(walletQuery(useServices())).data?.balance;
  const method = usePaymentMethod();
  const asking = usePanel<AutomaticTopUpOrder>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (balance === undefined) return;
    const read = readTopUp({ isOn, below, pack, capDollars });
    const isCardMissing = isOn && method.data?.card === null;
    setErrors({
      ...('errors' in read && read.errors),
      ...(isCardMissing && { card: 'Add a card first: it pays the packs.' }),
    });
    if (!('order' in read) || isCardMissing) return;
    if (buysAtOnce(read.order, saved, balance)) return asking.open(read.order);
    setTopUp.mutate(read.order);
  };
  return (
    <form onSubmit={submit} noValidate className={classes.root}>
      {saved.stopped_because === null ? null : (
        <Notice isUrgent>{TOP_UP_STOP_TEXTS[saved.stopped_because]}</Notice>
      )}
      {saved.paused_until === null ? null : (
        <Notice isUrgent>{pauseWords(saved.paused_until)} Raise the cap to buy sooner.</Notice>
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
        <Paying error={errors.card} />
        {saved.spent_this_month_in_cents > 0 ? (
          <p className={classes.muted}>{formatCents(saved.spent_this_month_in_cents)} spent this month.</p>
        ) : null}
        {/* Without the balance, nobody knows whether saving charges the card. */}
        <Button type="submit" variant="default" loading={setTopUp.isPending || balance === undefined}>
          Save top-up
        </Button>
      </div>
      <ChargeQuestion
        asking={asking}
        balance={balance ?? 0}
        card={method.data?.card ?? null}
        onConfirm={(order) => {
          asking.close();
          setTopUp.mutate(order);
        }}
      />
    </form>
  );
}

interface ChargeQuestionProps {
  asking: Panel<AutomaticTopUpOrder>;
  balance: number;
  card: PaymentMethod['card'];
  onConfirm: (order: AutomaticTopUpOrder) => void;
}

/** Before settings that charge the card as soon as they are saved. */
function ChargeQuestion({ asking, balance, card, onConfirm }: ChargeQuestionProps) {
  const { subject: order } = asking;
  const bought = CREDIT_PACKS.find(({ code }) => code === order?.pack);
  const price = formatCents(bought?.monthlyCostCents ?? 0);
  return (
    <ConfirmDialog
      isOpen={asking.isOpen}
      title="Buy a pack now?"
      confirmLabel={`Save and pay ${price}`}
      onConfirm={() => order && onConfirm(order)}
      onCancel={asking.close}
    >
      {`Your balance of ${formatCredits(balance)} credits is below ${formatCredits(order?.below ?? 0)}. When you save, ${card ? cardWords(card) : 'your card'} is charged ${price} for ${formatCredits(bought?.monthlyCredits ?? 0)} credits.`}
    </ConfirmDialog>
  );
}

/** The card that pays, or the way to one. */
function Paying({ error }: { error: string | undefined }) {
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
    <div>
      <p className={classes.paying}>
        {card ? `Paid with ${cardWords(card)}.` : 'No card is saved.'}
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => openPortal.mutate({ page: 'card' })}
          loading={openPortal.isPending}
        >
          {card ? 'Change card' : 'Add a card'}
        </Button>
      </p>
      {error === undefined ? null : (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
