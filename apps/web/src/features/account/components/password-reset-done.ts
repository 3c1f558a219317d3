import { useState } from 'react';
import { tabStorage } from '../../../shared/cache/browser-storage.ts';

const STORAGE_KEY = 'password_reset_done';

/** Whether this session has reset the password: kept until sign-out, which clears session storage. */
export function usePasswordResetDone() {
  const [isDone, setIsDone] = useState(() => tabStorage.getItem(STORAGE_KEY) !== null);
  const markDone = () => {
    tabStorage.setItem(STORAGE_KEY, 'true');
    setIsDone(true);
  };
  return { isDone, markDone };
}
