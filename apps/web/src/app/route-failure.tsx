import { useEffect } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { InternalErrorPage, NotFoundPage } from '../features/messages/message-pages.tsx';

/** Replaces a page that does not exist for this visitor, or that failed. */
export function RouteFailure() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  useEffect(() => {
    if (!isNotFound) console.error(error);
  }, [error, isNotFound]);
  return isNotFound ? <NotFoundPage /> : <InternalErrorPage />;
}
