import { Button } from '@mantine/core';
import { useKeepPlan } from '../api/keep-plan.ts';

/** Shown while a change is pending; it keeps turning until the change is gone, and the button with it. */
export function KeepPlanButton() {
  const keepPlan = useKeepPlan();
  return (
    <Button
      variant="default"
      onClick={() => keepPlan.mutate()}
      loading={keepPlan.isPending || keepPlan.isSuccess}
    >
      Keep my plan
    </Button>
  );
}
