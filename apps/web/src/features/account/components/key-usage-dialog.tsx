import type { ScopedKey } from '@assay/contract';
import { Modal } from '@mantine/core';
import { DayBars, DayBarsSkeleton } from '../../../shared/charts/day-bars.tsx';
import { AsyncSlot } from '../../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { useKeyUsage } from '../api/scoped-keys.ts';

interface KeyUsageDialogProps {
  isOpen: boolean;
  apiKey: ScopedKey;
  onClose: () => void;
}

export function KeyUsageDialog({ isOpen, apiKey, onClose }: KeyUsageDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Usage of ${apiKey.name}`} size="40rem">
      <Usage apiKey={apiKey} />
    </Modal>
  );
}

function Usage({ apiKey }: { apiKey: ScopedKey }) {
  const usage = useKeyUsage(apiKey);
  return (
    <AsyncSlot
      state={asyncStateOf(usage)}
      name="usage"
      skeleton={<DayBarsSkeleton />}
      onRetry={() => void usage.refetch()}
    >
      {(days) => <DayBars days={days} verb="used" />}
    </AsyncSlot>
  );
}
