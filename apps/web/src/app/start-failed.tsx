import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { SystemErrorMessage } from '../features/messages/message-pages.tsx';

/** The app could not learn where it runs, so nothing of it works: the error page alone. */
const router = createMemoryRouter([{ path: '*', Component: StartFailedPage }]);

export const StartFailed = () => <RouterProvider router={router} />;

function StartFailedPage() {
  return <SystemErrorMessage onReload={() => location.reload()} />;
}
