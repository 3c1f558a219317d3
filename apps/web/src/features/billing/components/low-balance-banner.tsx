import { CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Icon } from '../../../shared/components/icon.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import classes from './low-balance-banner.module.css';

/** Lives as long as the tab. The next lower threshold is news again. */
const KEY = 'billing_low_balance_seen';

/** Above every page while the balance is below a threshold of the customer, until they close it. */
export function LowBalanceBanner({ threshold }: { threshold: number | null | undefined }) {
  const [seen, setSeen] = useState(() => sessionStorage.getItem(KEY));
  useEffect(() => {
    if (threshold !== null) return;
    sessionStorage.removeItem(KEY);
    setSeen(null);
  }, [threshold]);
  if (typeof threshold !== 'number' || seen === String(threshold)) return null;
  const close = () => {
    sessionStorage.setItem(KEY, String(threshold));
    setSeen(String(threshold));
  };
  return (
    <section className={classes.root} aria-label="Low balance">
      <p>
        <Icon name="warning" />
        <span>
          Your balance is below {formatCredits(threshold)} credits. <Link to="/billing">Buy credits</Link>
        </span>
      </p>
      <CloseButton aria-label="Close this notice" onClick={close} />
    </section>
  );
}
