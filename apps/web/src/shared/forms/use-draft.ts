import { useEffect, useEffectEvent } from 'react';
import { useServices } from '../services/services-context.tsx';

/** The part of a form that a draft needs. */
interface Form<Fields> {
  readonly getValues: () => Fields;
  readonly reset: (values: Fields, options: { keepDefaultValues: true }) => void;
}

/** Restores the typed text when the person comes back from the error page. */
export function useDraft<Fields>(
  name: string,
  { getValues, reset }: Form<Fields>,
  onRestore?: (draft: Fields) => void,
): void {
  const { drafts } = useServices();
  const restore = useEffectEvent(() => {
    const draft = drafts.take(name) as Fields | undefined;
    if (draft === undefined) return;
    reset(draft, { keepDefaultValues: true });
    onRestore?.(draft);
  });
  const readValues = useEffectEvent(() => getValues());
  useEffect(() => {
    restore();
    return drafts.open(name, () => readValues());
  }, [drafts, name]);
}
