import { CUSTOM_PLAN_MONTHLY_CREDITS_MAX, PLAN_TIERS, type PlanCode, type Wallet } from '@assay/contract';
import { Badge, Button, Group, Modal, Slider, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatMonthDay } from '../../../shared/format/dates.ts';
import type { Subscription } from '../../../shared/plans/next-invoice.ts';
import { useOpenPortal } from '../api/open-portal.ts';
import {
  canChoosePlan,
  effectOfChoice,
  type PlanOffer,
  planOffers,
  smallestPaidOffer,
} from '../plan-offers.ts';
import classes from './compare-plans-dialog.module.css';
import { KeepPlanButton } from './keep-plan-button.tsx';

interface ComparePlansDialogProps {
  isOpen: boolean;
  wallet: Wallet | undefined;
  onClose: () => void;
  onRequestCall: () => void;
}

export function ComparePlansDialog({ isOpen, wallet, onClose, onRequestCall }: ComparePlansDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Compare plans" size="54rem">
      {wallet ? <PlanPicker subscription={wallet.subscription} onRequestCall={onRequestCall} /> : null}
    </Modal>
  );
}

const marks = planOffers.map(({ name }, value) => ({ value, label: name }));
const millions = CUSTOM_PLAN_MONTHLY_CREDITS_MAX / 1_000_000;

interface PlanPickerProps {
  subscription: Subscription;
  onRequestCall: () => void;
}

function PlanPicker({ subscription, onRequestCall }: PlanPickerProps) {
  const currentIndex = Math.max(
    0,
    PLAN_TIERS.findIndex(({ code }) => code === subscription.plan.code),
  );
  const [index, setIndex] = useState(currentIndex);
  const openPortal = useOpenPortal();
  const offer = planOffers[index] as PlanOffer;
  const isCurrent = index === currentIndex;
  const wanted: PlanCode | undefined = isCurrent || !canChoosePlan(subscription) ? undefined : offer.code;
  return (
    <div className={classes.root}>
      <Tiers index={index} currentIndex={currentIndex} onChoose={setIndex} />
      <div className={classes.slider}>
        <Slider
          classNames={{ markLabel: classes.markLabel }}
          min={0}
          max={planOffers.length - 1}
          step={1}
          value={index}
          onChange={setIndex}
          marks={marks}
          label={null}
          thumbLabel="Plan"
          thumbValueText={`${offer.name}, ${formatCredits(offer.monthlyCredits)} credits a month`}
        />
      </div>
      <Offer offer={offer} mark={markOf(offer, subscription)} />
      <p className={classes.effect}>{effectOfChoice({ offer, steps: index - currentIndex, subscription })}</p>
      <p className={classes.custom}>
        Need more than 1 million credits? Custom plans go up to {millions} million validations per month.{' '}
        <Button variant="subtle" size="compact-sm" onClick={onRequestCall}>
          Custom plans
        </Button>
      </p>
      <Group justify="flex-end" gap="xs">
        {subscription.pending_change ? <KeepPlanButton /> : null}
        <Button
          onClick={() => openPortal.mutate(wanted ? { plan: wanted } : {})}
          loading={openPortal.isPending}
        >
          Manage Subscription
        </Button>
      </Group>
    </div>
  );
}

interface TiersProps {
  index: number;
  currentIndex: number;
  onChoose: (index: number) => void;
}

/** All tiers beside each other, above the steps of the slider; on a narrow screen below each other. */
function Tiers({ index, currentIndex, onChoose }: TiersProps) {
  return (
    <fieldset className={classes.tiers} aria-label="All plans">
      {planOffers.map(({ code, name, monthlyFee, pricePerThousand }, tier) => (
        <UnstyledButton
          key={code}
          className={classes.tier}
          aria-pressed={tier === index}
          aria-current={tier === currentIndex}
          onClick={() => onChoose(tier)}
        >
          <strong>{name}</strong>
          <span>{monthlyFee}</span>
          <span className={classes.perThousand}>
            {pricePerThousand === null ? 'no charge' : `${pricePerThousand} per 1,000`}
          </span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

function markOf({ code }: PlanOffer, { plan, pending_change }: Subscription): string | null {
  if (code === plan.code) return 'Your plan';
  if (code !== pending_change?.plan.code) return null;
  return `From ${formatMonthDay(pending_change.date)}`;
}

function Offer({ offer, mark }: { offer: PlanOffer; mark: string | null }) {
  return (
    <div className={classes.offer} aria-live="polite">
      <div className={classes.headline}>
        <span className={classes.credits}>{formatCredits(offer.monthlyCredits)}</span>
        <span>credits a month</span>
        {mark === null ? null : <Badge variant="default">{mark}</Badge>}
      </div>
      <dl className={classes.figures}>
        <div>
          <dt>Monthly fee</dt>
          <dd>{offer.monthlyFee}</dd>
        </div>
        <div>
          <dt>Per credit</dt>
          <dd>{offer.pricePerCredit ?? 'Free'}</dd>
        </div>
        <div>
          <dt>You save</dt>
          <dd>
            {offer.savingPercent === null ? '–' : `${offer.savingPercent}% vs ${smallestPaidOffer.name}`}
          </dd>
        </div>
      </dl>
    </div>
  );
}
