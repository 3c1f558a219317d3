import { FREE_CREDITS_WITHHELD_TEXTS, TOP_UP_STOP_TEXTS, type Wallet } from '@assay/contract';
import { CloseButton } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { tabStorage } from '../../../shared/cache/browser-storage.ts';
import { Banner } from '../../../shared/components/banner.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { pauseWords } from '../pause-words.ts';

/** Above every page: free credits that were withheld, a top-up that has stopped, and a balance below a threshold of the customer. */
export function BalanceBanners({ wallet }: { wallet: Wallet | undefined }) {
  // That page says it where it can be changed.
  const isOnTopUpPage = useLocation().pathname === '/billing/top-up';
  if (!wallet) return null;
  const {
    top_up_stopped_because: stop,
    top_up_paused_until: pausedUntil,
    low_balance_threshold: threshold,
    free_credits_withheld,
  } = wallet;
  // Who has bought credits needs no free ones.
  const withheld = wallet.balance === 0 ? free_credits_withheld : null;
  return (
    <>
      <ClosableBanner label="Top-up stopped" storageKey="billing_top_up_stop_seen" news={stop}>
        {stop === null || isOnTopUpPage ? null : (
          <>
            {TOP_UP_STOP_TEXTS[stop]} <Link to="/billing/top-up">Go to Automatic top-up</Link>
          </>
        )}
      </ClosableBanner>
      <ClosableBanner label="Top-up paused" storageKey="billing_top_up_pause_seen" news={pausedUntil}>
        {pausedUntil === null || isOnTopUpPage ? null : (
          <>
            {pauseWords(pausedUntil)} <Link to="/billing/top-up">Go to Automatic top-up</Link>
          </>
        )}
      </ClosableBanner>
      <ClosableBanner label="No free credits" storageKey="billing_withheld_seen" news={withheld}>
        {withheld === null ? null : FREE_CREDITS_WITHHELD_TEXTS[withheld]}
      </ClosableBanner>
      <ClosableBanner label="Low balance" storageKey="billing_low_balance_seen" news={threshold}>
        {threshold === null ? null : (
          <>
            Your balance is below {formatCredits(threshold)} credits.{' '}
            <Link to="/billing/packs">Buy credits</Link>
          </>
        )}
      </ClosableBanner>
    </>
  );
}

interface ClosableBannerProps {
  label: string;
  /** Remembers, as long as the tab lives, what was closed. */
  storageKey: string;
  /** Something else is news again. */
  news: string | number | null;
  children: ReactNode;
}

function ClosableBanner({ label, storageKey, news, children }: ClosableBannerProps) {
  const [seen, setSeen] = useState(() => tabStorage.getItem(storageKey));
  useEffect(() => {
    if (news !== null) return;
    tabStorage.removeItem(storageKey);
    setSeen(null);
  }, [news, storageKey]);
  if (children === null || seen === String(news)) return null;
  const close = () => {
    tabStorage.setItem(storageKey, String(news));
    setSeen(String(news));
  };
  return (
    <Banner label={label} action={<CloseButton aria-label="Close this notice" onClick={close} />}>
      {children}
    </Banner>
  );
}
