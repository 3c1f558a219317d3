import { useState } from 'react';

const STORAGE_KEY = 'password_reset_done';

/** Whether this session has reset the password: kept until sign-out, which clears session storage. */
export function usePasswordResetDone() {
  const [isDone, setIsDone] = useState(() => sessionStorage.getItem(STORAGE_KEY) !== null);
  const markDone = () => {
    sessionStorage.setItem(STORAGE_KEY, 'true');
    setIsDone(true);
  };
  return { isDone, markDone };
}
