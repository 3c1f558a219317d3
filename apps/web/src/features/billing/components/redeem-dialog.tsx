import { COUPON_CODE_CHARACTERS_MIN } from '@assay/contract';
import { Badge, Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormDialog, useKeepDialogOpen } from '../../../shared/components/form-dialog.tsx';
import { VerdictMark } from '../../../shared/components/verdict-mark.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { redemptionOf, useRedeemCoupon } from '../api/redeem-coupon.ts';
import classes from './redeem-dialog.module.css';

interface RedeemDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function RedeemDialog({ isOpen, onClose }: RedeemDialogProps) {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title="Redeem credits" size="26rem">
      <RedeemForm onClose={onClose} />
    </FormDialog>
  );
}

function RedeemForm({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('');
  const redeem = useRedeemCoupon();
  useKeepDialogOpen(redeem.isPending);
  const redemption = redemptionOf(redeem);
  const trimmed = code.trim();
  const isLongEnough = trimmed.length >= COUPON_CODE_CHARACTERS_MIN;

  if (redemption?.outcome === 'valid') {
    return <Redeemed amountOfCredits={redemption.amountOfCredits} onClose={onClose} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isLongEnough && !redeem.isPending) redeem.mutate(trimmed);
  };
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <TextInput
        label="Coupon code"
        value={code}
        // A change would forget the answer.
        readOnly={redeem.isPending}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={(event) => {
          setCode(event.currentTarget.value);
          redeem.reset();
        }}
      />
      <div role="alert" className={classes.outcome}>
        {redemption ? (
          <>
            <Badge color="danger" variant="light" size="lg">
              Invalid coupon
            </Badge>
            <p>{redeem.error?.message || 'The code could not be checked. Try it again in a minute.'}</p>
          </>
        ) : null}
      </div>
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" onClick={onClose} disabled={redeem.isPending}>
          Cancel
        </Button>
        <Button type="submit" disabled={!isLongEnough} loading={redeem.isPending}>
          Apply coupon
        </Button>
      </Group>
    </form>
  );
}

function Redeemed({ amountOfCredits, onClose }: { amountOfCredits: number; onClose: () => void }) {
  return (
    <div className={classes.redeemed}>
      <VerdictMark verdict="VALID" size={40} />
      <p role="status">{formatCredits(amountOfCredits)} credits successfully redeemed.</p>
      <Button
        onClick={onClose}
        // The field that had the focus is gone.
        autoFocus
        fullWidth
      >
        Understood
      </Button>
    </div>
  );
}
