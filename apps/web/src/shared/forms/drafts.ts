import type { SafeStorage } from '../cache/browser-storage.ts';

/** Keeps the text of open forms while a message page or a new sign-in replaces their page. */
export interface Drafts {
  /** Registers a form that is on the screen. Gives the way to end that. */
  open(name: string, read: () => unknown): () => void;
  /** Keeps the values of all open forms. */
  keepAll(): void;
  /** What was kept of the form, once. */
  take(name: string): unknown;
}

/** `storage` is the tab's: it is cleared at sign-out, and when another person signs in. */
export function createDrafts(storage: SafeStorage): Drafts {
  const openForms = new Map<string, () => unknown>();
  const keyOf = (name: string) => `assay.draft.${name}`;
  return {
    open(name, read) {
      openForms.set(name, read);
      return () => {
        if (openForms.get(name) === read) openForms.delete(name);
      };
    },
    keepAll() {
      for (const [name, read] of openForms) storage.setItem(keyOf(name), JSON.stringify(read()));
    },
    take(name) {
      const kept = storage.getItem(keyOf(name));
      storage.removeItem(keyOf(name));
      return kept === null ? undefined : JSON.parse(kept);
    },
  };
}
