import { useEffect } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { InternalErrorPage, NotFoundPage } from '../features/messages/message-pages.tsx';
import { useServices } from '../shared/services/services-context.tsx';

/** Replaces a page that does not exist for this visitor, or that failed. */
export function RouteFailure() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  const { remembered } = useServices();
  useEffect(() => {
    if (isNotFound) return;
    console.error(error);
    // What the browser remembers may be the cause, and would be again after 'Reload'.
    remembered.forget();
  }, [error, isNotFound, remembered]);
  return isNotFound ? <NotFoundPage /> : <InternalErrorPage />;
}
