import { useEffect } from 'react';
import { Outlet, useLocation } from 'react-router';
import { ConnectionNotice } from '../shared/connection/connection-notice.tsx';
import { useServices } from '../shared/services/services-context.tsx';
import { PageAnnouncer } from './page-announcer.tsx';
import { usePageMotion } from './page-motion.ts';
import { useReloadOffer } from './reload-offer.tsx';

/** Around every page, private or not. */
export function AppFrame() {
  const { countPageView } = useServices();
  const { pathname } = useLocation();
  useEffect(() => countPageView(pathname), [countPageView, pathname]);
  usePageMotion(pathname);
  useReloadOffer();
  return (
    <>
      <Outlet />
      <PageAnnouncer path={pathname} />
      <ConnectionNotice />
    </>
  );
}
