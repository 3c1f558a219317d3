import { GRANT_CREDITS_MAX, type OperatorCoupon, REDEMPTIONS_MAX } from '@assay/contract/operator';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { formatDate } from '../../../shared/format/dates.ts';
import classes from '../operator.module.css';
import { onlyIf, useCoupons, useMay } from '../operator-api.ts';
import { readWhole } from '../operator-words.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { WholeNumberField } from '../whole-number-field.tsx';

const stateWords: Readonly<Record<OperatorCoupon['state'], string>> = {
  open: 'Open',
  disabled: 'Disabled',
  expired: 'Expired',
  exhausted: 'Used up',
};

export function CouponsSection() {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const coupons = useCoupons(paging);
  const may = useMay();
  const [isCreating, setIsCreating] = useState(false);
  const [disabling, setDisabling] = useState<OperatorCoupon | null>(null);
  return (
    <>
      {may('createCoupon') ? (
        <div className={classes.tools}>
          <Button onClick={() => setIsCreating(true)}>Create coupon</Button>
        </div>
      ) : null}
      <DataGrid
        name="coupons"
        columns={[
          { header: 'Code', cell: ({ code }) => code },
          {
            header: 'Credits',
            cell: ({ credits }) => formatCredits(credits),
            align: 'end',
            compact: 'labelled',
          },
          {
            header: 'Redeemed',
            cell: ({ redemptions, redemptions_max: max }) =>
              max === null
                ? formatCredits(redemptions)
                : `${formatCredits(redemptions)} of ${formatCredits(max)}`,
            align: 'end',
            compact: 'labelled',
          },
          {
            header: 'Expires',
            cell: ({ expiration_date: date }) => (date === null ? 'never' : formatDate(date)),
            compact: 'labelled',
          },
          { header: 'State', cell: ({ state }) => stateWords[state], compact: 'beside' },
        ]}
        rows={asyncStateOf(coupons)}
        rowKey={({ code }) => code}
        rowMenu={{
          rowName: ({ code }) => code,
          actions: (coupon) =>
            onlyIf(may('disableCoupon'), {
              label: 'Disable',
              icon: 'remove',
              isDestructive: true,
              isDisabled: coupon.state === 'disabled',
              onSelect: () => setDisabling(coupon),
            }),
        }}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void coupons.refetch()}
        empty={
          <EmptyState
            icon="billing"
            title="No coupons yet"
            description="Coupons give credits to customers who type their code."
          />
        }
      />
      {isCreating ? <CreateDialog onClose={() => setIsCreating(false)} /> : null}
      {disabling ? <DisableDialog code={disabling.code} onClose={() => setDisabling(null)} /> : null}
    </>
  );
}

/** The first moment of a day such as 2026-11-05, where the operator is. */
const startOf = (day: string): Date => new Date(`${day}T00:00`);

function CreateDialog({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('');
  const [typedCredits, setTypedCredits] = useState('');
  const [typedMax, setTypedMax] = useState('');
  const [expires, setExpires] = useState('');
  const credits = readWhole(typedCredits, GRANT_CREDITS_MAX);
  const max = readWhole(typedMax, REDEMPTIONS_MAX);
  return (
    <ReasonDialog
      title="Create coupon"
      confirmLabel="Create"
      isIncomplete={code.trim() === '' || credits === null || (typedMax.trim() !== '' && max === null)}
      send={(api, reason) =>
        api.createCoupon({
          body: {
            code: code.trim(),
            credits: credits ?? 0,
            redemptions_max: max,
            expiration_date: expires === '' ? null : startOf(expires).toISOString(),
            reason,
          },
        })
      }
      done="Coupon created."
      onClose={onClose}
    >
      <TextInput
        label="Code"
        description="5 to 64 letters and digits, with single hyphens or underscores between them."
        value={code}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <WholeNumberField label="Credits" value={typedCredits} onChange={setTypedCredits} />
      <WholeNumberField
        label="Customers who may redeem it"
        description="Any number if empty."
        value={typedMax}
        onChange={setTypedMax}
      />
      <TextInput
        type="date"
        label="First day on which it is no longer taken"
        description="Never expires if empty."
        value={expires}
        onChange={({ currentTarget }) => setExpires(currentTarget.value)}
      />
    </ReasonDialog>
  );
}

function DisableDialog({ code, onClose }: { code: string; onClose: () => void }) {
  return (
    <ReasonDialog
      title={`Disable ${code}`}
      confirmLabel="Disable"
      send={(api, reason) => api.disableCoupon({ params: { code }, body: { reason } })}
      done="Coupon disabled."
      onClose={onClose}
    >
      <p>Customers keep the credits that they redeemed. This cannot be undone.</p>
    </ReasonDialog>
  );
}
