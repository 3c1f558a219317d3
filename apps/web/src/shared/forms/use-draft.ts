import { useEffect, useEffectEvent } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useServices } from '../services/services-context.tsx';

/** Restores the typed text when the person comes back from the error page. */
export function useDraft<Fields extends FieldValues>(
  name: string,
  { getValues, reset }: Pick<UseFormReturn<Fields>, 'getValues' | 'reset'>,
  onRestore?: (draft: Fields) => void,
): void {
  const { drafts } = useServices();
  const restore = useEffectEvent(() => {
    const draft = drafts.take(name) as Fields | undefined;
    if (draft === undefined) return;
    reset(draft, { keepDefaultValues: true });
    onRestore?.(draft);
  });
  useEffect(() => {
    restore();
    return drafts.open(name, () => getValues());
  }, [drafts, name, getValues]);
}
