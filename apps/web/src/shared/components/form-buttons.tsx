import { Button, Group } from '@mantine/core';
import { useKeepDialogOpen } from './form-dialog.tsx';

interface FormButtonsProps {
  submitLabel: string;
  isBusy: boolean;
  /** There is nothing yet that could be sent. */
  isIncomplete?: boolean;
  onCancel: () => void;
}

/** The end of a form in a `FormDialog`: the way out, and the one thing that the form does. */
export function FormButtons({ submitLabel, isBusy, isIncomplete = false, onCancel }: FormButtonsProps) {
  useKeepDialogOpen(isBusy);
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="subtle" onClick={onCancel} disabled={isBusy}>
        Cancel
      </Button>
      <Button type="submit" disabled={isIncomplete} loading={isBusy}>
        {submitLabel}
      </Button>
    </Group>
  );
}
