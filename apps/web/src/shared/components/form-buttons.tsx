import { Button, Group } from '@mantine/core';

interface FormButtonsProps {
  submitLabel: string;
  isBusy: boolean;
  /** There is nothing yet that could be sent. */
  isIncomplete?: boolean;
  onCancel: () => void;
}

/** The end of a form in a dialog: the way out, and the one thing that the form does. */
export function FormButtons({ submitLabel, isBusy, isIncomplete = false, onCancel }: FormButtonsProps) {
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
