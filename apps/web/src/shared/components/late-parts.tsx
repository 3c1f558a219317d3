import { type ComponentType, lazy, Suspense, useState } from 'react';

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

/** A dialog or drawer whose code is loaded when it is first opened. It stays mounted, and closes with its transition. */
export function lateDialog<Props extends { isOpen: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Dialog = lateComponent(load);
  return function LateDialog(props: Props) {
    const [wasOpened, setWasOpened] = useState(props.isOpen);
    if (props.isOpen && !wasOpened) setWasOpened(true);
    return wasOpened ? <Dialog {...props} /> : null;
  };
}
