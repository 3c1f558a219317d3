import { type ComponentType, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { snackbar } from './snackbar.tsx';

/**
 * A part of the page whose code is loaded after the page. Nothing is shown until then, or if it cannot be loaded: a page
 * without it is better than no page.
 */
export function lateComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Part = lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      console.error(error);
      return { default: () => null };
    }
  }) as unknown as ComponentType<Props>;
  return (props: Props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
}

interface OpenedByUser {
  readonly isOpen: boolean;
  readonly onClose?: () => void;
  readonly onCancel?: () => void;
}

/**
 * A dialog, drawer or tip whose code is loaded when it is first opened. It stays mounted, and closes with its transition. If the
 * code cannot be loaded, a dialog says so and closes, so that the same click tries again.
 */
export function lateDialog<Props extends OpenedByUser>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function LateDialog(props: Props) {
    const { isOpen } = props;
    const [{ Dialog }, setLoaded] = useState<{ Dialog?: ComponentType<Props> }>({});
    const giveUp = useEffectEvent((error: unknown) => {
      const close = props.onClose ?? props.onCancel;
      // A tip cannot be closed, and a missing one needs no message.
      if (!close) return console.error(error);
      reportNotOpened(error);
      close();
    });
    useEffect(() => {
      if (isOpen && !Dialog) load().then((Loaded) => setLoaded({ Dialog: Loaded }), giveUp);
    }, [isOpen, Dialog]);
    return Dialog ? <Dialog {...props} /> : null;
  };
}

/** Says that the code of what a person opened could not be loaded. */
export function reportNotOpened(error: unknown): void {
  console.error(error);
  snackbar.error('This could not be opened. Check your connection and try again.');
}
