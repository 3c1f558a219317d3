import type { Session } from './session.ts';

const storageKey = 'assay.session';

/** The one place where the session is kept, shared by every tab of this browser. */
export interface SessionStore {
  read(): Session | undefined;
  write(session: Session): void;
  clear(): void;
  /** Called after every change in this tab, and after `noticeStorageEvent`. */
  subscribe(listener: () => void): () => void;
  /** Hands in the browser's word that another tab changed `localStorage`; a null key means all of it. */
  noticeStorageEvent(changedKey: string | null): void;
}

export function createSessionStore(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): SessionStore {
  const listeners = new Set<() => void>();
  const tellAll = () => {
    for (const listener of listeners) listener();
  };

  // Parsed once per text, so that an unchanged session is the same object to those who compare.
  let lastText: string | null = null;
  let lastSession: Session | undefined;

  return {
    read() {
      const text = storage.getItem(storageKey);
      if (text !== lastText) {
        lastText = text;
        lastSession = text === null ? undefined : parseSession(text);
      }
      return lastSession;
    },
    write(session) {
      storage.setItem(storageKey, JSON.stringify(session));
      tellAll();
    },
    clear() {
      storage.removeItem(storageKey);
      tellAll();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    noticeStorageEvent(changedKey) {
      if (changedKey === storageKey || changedKey === null) tellAll();
    },
  };
}

/** Undefined if a required field is missing. */
function parseSession(text: string): Session | undefined {
  try {
    const kept: Partial<Session> | null = JSON.parse(text);
    const isComplete =
      typeof kept?.user_access_token === 'string' &&
      typeof kept.subject === 'string' &&
      typeof kept.obtained_at === 'number' &&
      typeof kept.expires_at === 'number';
    return isComplete ? (kept as Session) : undefined;
  } catch {
    return undefined;
  }
}
